import { IntegrityError } from '@sluice/sdk'
import { encodeSigned, type VerifiedCall, verifyPermit } from '@sluice/sdk/verify'
import { type AskNode, NodeError } from '../askNode.js'
import type { Effect } from '../machine/events.js'
import type { Boot } from './boot.js'
import { demandAccount } from './demandAccount.js'
import { revertDataOf, UnusableSignatureError } from './walletWords.js'

type Sign = Extract<Effect, { do: 'sign' }>
type Send = Extract<Effect, { do: 'send' }>

/**
 * Has the wallet sign the permit of the swap on the screen. The typed data is built here, from terms that were compared with
 * what was asked.
 *
 * @throws IntegrityError before the wallet is asked, or what the wallet says.
 */
export async function sign(ask: AskNode, effect: Sign, { registry }: Boot): Promise<string> {
  const { quote, parameters: request } = effect.shown
  const { typedData } = verifyPermit({ quote, request, registry })
  await demandAccount(ask, effect)
  const data = JSON.stringify(typedData)
  const signature = await ask('eth_signTypedData_v4', [effect.account, data])
  if (typeof signature !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(signature))
    throw new UnusableSignatureError('The wallet gave no signature.')
  return signature
}

/**
 * The swap that a signature pays for. It is run on the wallet's node first, because the chain alone can tell whether the
 * signature of any kind of account is good.
 *
 * @throws UnusableSignatureError if the swap would revert for another reason than its price or its deadline.
 */
export async function signedCall(
  ask: AskNode,
  { account, shown, signature }: Send,
  { registry }: Boot,
): Promise<VerifiedCall> {
  const { parameters: request, quote } = shown
  const permit = verifyPermit({ quote, request, registry })
  const call = await encoded(permit, signature as `0x${string}`)
  const { data, to } = call
  await ask('eth_call', [{ from: account, to, data }, 'latest']).catch(async (error: unknown) => {
    const revert = revertDataOf(error)
    // A node that does not answer says nothing of the signature; the wallet estimates itself.
    if (revert === undefined) return
    const { isOfMarket } = await import('./reverts.js')
    const words = 'A test run of the swap failed.'
    throw isOfMarket(revert)
      ? new NodeError(words, error)
      : new UnusableSignatureError(words, error)
  })
  return { purpose: 'swap', ...call, gas: quote.permit?.gas ?? 0n }
}

async function encoded(permit: ReturnType<typeof verifyPermit>, signature: `0x${string}`) {
  try {
    return encodeSigned(permit, signature)
  } catch (error) {
    if (error instanceof IntegrityError) throw error
    throw new UnusableSignatureError('This account signs in a way that the token does not take.')
  }
}
