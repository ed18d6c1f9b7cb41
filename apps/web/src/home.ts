/** The script of the page: asks for quotes, shows them, has them checked by the reader's own node, and swaps. */
import {
  ApiError,
  BaseError,
  createClient,
  getHealth,
  getManifest,
  getQuote,
  type Quote,
  RpcRequiredError,
  streamQuote,
} from '@sluice/sdk'
import { readRegistry } from '@sluice/sdk/verify'
import { type AskNode, findWallet, nodeAt } from './askNode.js'
import { enableCopying } from './copy.js'
import { el, find, show, tell } from './dom.js'
import { shortAmountText } from './format.js'
import { askOwnNode, messageOf, prepareAnywhere, repeatOnOwnNode } from './ownNode.js'
import { quoteView } from './quoteView.js'
import { routeView } from './routeView.js'
import { type Connected, connect, nextStep, type Step, sign } from './swapFlow.js'
import { createTokens } from './tokens.js'
import * as TradeForm from './tradeForm.js'
import { commandsView, showVerdict } from './verifyView.js'

const client = createClient({ baseUrl: location.origin })
const [manifest, health] = await Promise.all([getManifest(client), getHealth(client)])
const registry = readRegistry(manifest)
const tokens = createTokens(client, registry)
const devnetNodes = new Map(
  health.chains.flatMap(({ chainId, rpc }) => (rpc === undefined ? [] : [[chainId, rpc] as const])),
)

const [state, view, act] = [find('#state'), find('#quote'), el('div', { class: 'row' })]
const [verdict, checks] = [find('#verdict'), find('#checks')]
const rpc = find<HTMLInputElement>('#rpc')
let leaving = new AbortController()
let connected: Connected | undefined
let shown: { quote: Quote; trade: TradeForm.Trade; isOwn: boolean } | undefined
/** While the wallet signs, no new block takes its quote away. */
let isSigning = false

/** The reader's own node, else the devnet's. */
function ownNode(): AskNode | undefined {
  const url = rpc.value || devnetNodes.get(TradeForm.chainId())
  return url === undefined ? undefined : nodeAt(url)
}

/** Looks up what is not known of the tokens; a failure leaves base units. */
async function learnTokens(): Promise<void> {
  const { tokenIn, tokenOut } = TradeForm.sides()
  const learn = (token: string) =>
    tokens.learn(TradeForm.chainId(), token, ownNode() ?? connected?.ask).catch(() => {})
  await Promise.all([tokenIn, tokenOut].filter((token) => token !== '').map(learn))
}

async function ask(): Promise<void> {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  clear()
  await learnTokens()
  if (signal.aborted) return
  const result = TradeForm.read(tokens)
  TradeForm.showAmount(result, tokens)
  show(find('#answer'))
  if (!result.ok) return tell(state, 'unsure', result.reason)
  const { trade } = result
  TradeForm.remember()
  tell(state, 'unsure', 'Looking for the best route …')
  showCommands(trade, signal)
  try {
    for await (const quote of quotesOf(trade, signal))
      if (!isSigning)
        showQuote(quote, trade, {
          isOwn: false,
          from: `Of block ${quote.meta?.blockNumber ?? '?'}; a new one follows when it changes.`,
        })
  } catch (error) {
    if (!signal.aborted) showError(error)
  }
}

/** Quotes of one block after the other; a single one if the service has no stream to spare. */
async function* quotesOf({ parameters }: TradeForm.Trade, signal: AbortSignal) {
  try {
    yield* streamQuote(client, parameters, { signal })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'overloaded') throw error
    yield await getQuote(client, parameters, { signal })
  }
}

function clear(): void {
  shown = undefined
  view.replaceChildren()
  find('#got').textContent = '…'
  for (const part of ['#route', '#verify']) show(find(part), false)
  tell(verdict, 'none')
  checks.replaceChildren()
}

function showQuote(
  quote: Quote,
  trade: TradeForm.Trade,
  { from, isOwn }: { from: string; isOwn: boolean },
): void {
  shown = { quote, trade, isOwn }
  tokens.note(quote)
  const { amountOut, chainId, tokenOut } = quote
  find('#got').textContent = shortAmountText(amountOut, tokens.decimalsOf(chainId, tokenOut))
  tell(state, 'none', el('span', { class: 'hint' }, from))
  const isOpen = view.querySelector('details')?.open ?? false
  view.replaceChildren(...quoteView(quote, tokens), act)
  view.querySelector('details')!.open = isOpen
  find('#drawing').replaceChildren(...routeView(quote, tokens))
  for (const part of ['#route', '#verify']) show(find(part))
  if (rpc.value === '') rpc.value = devnetNodes.get(chainId) ?? ''
  showStep()
}

function showError(error: unknown): void {
  clear()
  const code = error instanceof BaseError ? error.code : 'internal'
  const link = error instanceof BaseError && error.docs
  // A single one is what the message says already.
  const details = error instanceof ApiError && error.details.length > 1 ? error.details : []
  const isRetired = error instanceof RpcRequiredError
  tell(
    state,
    isRetired ? 'unsure' : 'bad',
    messageOf(error),
    ...details.map(({ field, reason }) => el('span', { class: 'meaning' }, `${field}: ${reason}`)),
    link && el('a', { href: link }, ` What ${code} means`),
  )
  // The reader's own node needs no relay, and no service that is up.
  show(find('#verify'), isRetired || code === 'rpc_unreachable')
}

async function showCommands({ parameters }: TradeForm.Trade, signal: AbortSignal): Promise<void> {
  const prepared = await prepareAnywhere(tokens.pin(parameters), { client, registry }).catch(
    () => undefined,
  )
  if (prepared === undefined || signal.aborted) return
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)])
  const url = `${location.origin}/api/quote?${new URLSearchParams(texts)}`
  find('#commands').replaceChildren(...commandsView(url, prepared.curl))
  enableCopying(find('#commands'))
}

async function askMyNode(): Promise<void> {
  const result = TradeForm.read(tokens)
  if (!result.ok) return tell(verdict, 'unsure', result.reason)
  const { chainId, parameters } = result.trade
  const served = shown?.isOwn ? undefined : shown?.quote
  const { signal } = leaving
  checks.replaceChildren()
  tell(verdict, 'unsure', 'Asking your node …')
  try {
    const isOnDemand = devnetNodes.has(chainId)
    const [node, options] = [nodeAt(rpc.value), { client, registry, isOnDemand }]
    const own =
      served === undefined
        ? await askOwnNode(node, tokens.pin(parameters), options)
        : await repeatOnOwnNode(node, served, options)
    // Meanwhile another trade may be asked for.
    if (signal.aborted) return
    showVerdict(own, served, { verdict, checks, tokens })
    // If the service has no quote, the node's is the one to show and to swap by.
    if (served === undefined)
      showQuote(own.quote, result.trade, {
        isOwn: true,
        from: `Of your own node, at block ${own.quote.witness?.blockNumber ?? '?'}; ask it again for a new one.`,
      })
  } catch (error) {
    tell(verdict, 'bad', messageOf(error))
  }
}

const stepNames: Readonly<Record<Step, string>> = {
  wrap: 'Wrap ETH to WETH',
  approve: 'Approve exactly this amount',
  send: 'Check, sign and send',
}

/** Offers what the wallet has to sign next if one is connected and there is a transaction. */
async function showStep(): Promise<void> {
  const now = shown
  if (connected === undefined || now?.quote.tx === undefined) return act.replaceChildren()
  const step = await nextStep(connected, now.quote).catch(() => undefined)
  if (step === undefined || shown !== now) return
  const button = el('button', { type: 'button' }, stepNames[step])
  button.addEventListener('click', () => runStep(step, now))
  act.replaceChildren(button)
}

async function runStep(step: Step, { quote, trade }: NonNullable<typeof shown>): Promise<void> {
  if (connected === undefined) return
  isSigning = true
  act.replaceChildren(el('p', { class: 'hint' }, 'Waiting for the wallet and the chain …'))
  try {
    const hash = await sign(connected, step, {
      quote,
      request: tokens.pin(trade.parameters),
      registry,
    })
    isSigning = false
    if (step !== 'send') return await ask()
    leaving.abort()
    act.replaceChildren()
    tell(state, 'good', 'Swapped: ', linkTo(quote.chainId, hash))
  } catch (error) {
    isSigning = false
    tell(state, 'bad', messageOf(error))
    await showStep()
  }
}

function linkTo(chainId: number, hash: string): Node {
  const explorer = manifest.chains.find((chain) => chain.chainId === chainId)?.explorer
  const isDevnet = devnetNodes.has(chainId)
  return explorer === undefined || isDevnet
    ? el('code', {}, hash)
    : el('a', { href: `${explorer}/tx/${hash}`, rel: 'noreferrer' }, hash)
}

function listen(): void {
  const form = TradeForm.form()
  let timer = 0
  const askSoon = () => {
    clearTimeout(timer)
    timer = window.setTimeout(ask, 350)
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask()
  })
  form.addEventListener('input', () => {
    TradeForm.showAmount(TradeForm.read(tokens), tokens)
    askSoon()
  })
  find<HTMLSelectElement>('#chain').addEventListener('change', () => {
    rpc.value = ''
  })
  find('#flip').addEventListener('click', () => {
    const { tokenIn, tokenOut } = TradeForm.sides()
    TradeForm.setField('in', tokenOut)
    TradeForm.setField('out', tokenIn)
    askSoon()
  })
  find('#own').addEventListener('submit', (event) => {
    event.preventDefault()
    askMyNode()
  })
}

async function offerWallet(): Promise<void> {
  const wallet = await findWallet()
  const button = find<HTMLButtonElement>('#connect')
  if (wallet === undefined) return
  show(button)
  button.addEventListener('click', async () => {
    try {
      connected = await connect(wallet)
      button.textContent = `Connected: ${connected.account.slice(0, 6)}…${connected.account.slice(-4)}`
      TradeForm.setField('recipient', connected.account)
      await ask()
    } catch (error) {
      tell(state, 'bad', messageOf(error))
    }
  })
}

TradeForm.restore()
show(TradeForm.form())
listen()
offerWallet()
ask()
