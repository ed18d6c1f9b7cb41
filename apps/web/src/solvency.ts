/** The script of /solvency: repeats the page's call on a node of the reader's own and compares the answers. */
import { Decimals, Solvency } from '@sluice/domain'
import { type AskNode, findWallet, NodeError, nodeAt, nodeOf } from './askNode.js'
import { enableCopying } from './copy.js'
import { tell } from './dom.js'

enableCopying(document)
const wallet = await findWallet()
for (const form of document.querySelectorAll<HTMLFormElement>('form.check')) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const url = new FormData(form).get('rpc')
    check(form, nodeAt(String(url)))
  })
  const button = form.querySelector<HTMLButtonElement>('[data-wallet]')!
  if (wallet === undefined) continue
  button.hidden = false
  button.addEventListener('click', () => check(form, nodeOf(wallet)))
}

/** Asks the node for its chain and for the report at the page's block, and says whether it is the same to the byte. */
async function check(form: HTMLFormElement, ask: AskNode): Promise<void> {
  const box = form.querySelector('.outcome')!
  const { block, call, chain, hash, raw, to } = form.dataset as Record<string, string>
  tell(box, 'unsure', 'Asking your node …')
  try {
    const found = Number(await ask('eth_chainId', []))
    if (found !== Number(chain)) {
      tell(box, 'bad', `Your node is of chain ${found}; the reading is of chain ${chain}.`)
      return
    }
    const answer = String(await ask('eth_call', [{ to, data: call }, { blockHash: hash }]))
    if (answer.toLowerCase() === raw) tell(box, 'good', sameWords(answer as `0x${string}`, block!))
    else
      tell(
        box,
        'bad',
        `Your node answers something else for block ${block}. Do not believe this page. Its answer: ${answer.slice(0, 1_200)}`,
      )
  } catch (error) {
    const reason = error instanceof NodeError ? error.message : 'The check failed.'
    tell(
      box,
      'unsure',
      `${reason} Nothing was compared. Nodes keep old blocks for a while only: load this page again, and check the newer reading.`,
    )
  }
}

function sameWords(answer: `0x${string}`, block: string): string {
  const words = Solvency.wordsOf(answer).map(BigInt)
  const amount = (name: Solvency.FieldName) =>
    Decimals.toDisplay(words[Solvency.fields.findIndex((field) => field.name === name)]!, 18)
  return `Your node gives the same answer for block ${block}, byte for byte: ${amount('backing')} SLU held, ${amount('owed')} SLU owed.`
}
