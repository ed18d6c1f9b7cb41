import { IntegrityError } from '@sluice/sdk'
import { type VerifiedCall, verifyCalls, verifyTransaction } from '@sluice/sdk/verify'
import { type AskNode, NodeError } from '../askNode.js'
import type { Effect } from '../machine/events.js'
import type { Boot } from './boot.js'
import { demandAccount } from './demandAccount.js'
import { hexOf } from './hexOf.js'
import { signedCall } from './sign.js'

type Send = Extract<Effect, { do: 'send' }>

/** What the wallet took: a hash, or the id of a batch. */
export type Sent = { readonly id: string; readonly isBatch: boolean }

/**
 * Hands the wallet what is on the screen: for its account, on its chain, every field compared with what was asked first.
 *
 * @throws IntegrityError before the wallet is asked, or what the wallet says.
 */
export async function send(ask: AskNode, effect: Send, boot: Boot): Promise<Sent> {
  const { account, chainId, purpose, shown } = effect
  const isSigned = effect.signature !== undefined
  const calls = isSigned ? [] : verifiedCalls(effect, boot)
  await demandAccount(ask, effect)
  if (purpose === 'batch') return await sendBatch(ask, { account, chainId, calls })
  const call = isSigned ? await signedCall(ask, effect, boot) : calls[0]
  if (call === undefined) throw new IntegrityError('calls', 'The quote has no such call.')
  const gas = purpose === 'swap' ? (shown.quote.tx?.gas ?? call.gas) : call.gas
  const transaction = {
    ...{ from: account, to: call.to, data: call.data },
    value: hexOf(call.value),
    ...(gas > 0n && { gas: hexOf(gas) }),
    chainId: hexOf(BigInt(chainId)),
  }
  const hash = await ask('eth_sendTransaction', [transaction])
  if (typeof hash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(hash))
    throw new NodeError('The wallet gave no hash.')
  return { id: hash.toLowerCase(), isBatch: false }
}

/** The calls that the purpose stands for, compared with the question. */
function verifiedCalls({ purpose, shown }: Send, { registry }: Boot): readonly VerifiedCall[] {
  const { parameters, quote } = shown
  const options = { quote, request: parameters, registry }
  if (purpose === 'swap' && quote.tx !== undefined) {
    const { data, to, value } = verifyTransaction(quote.tx, options)
    return [{ purpose: 'swap', to, data, value, gas: quote.tx.gas ?? 0n }]
  }
  const all = verifyCalls(options)
  if (purpose === 'batch') return all
  return all[0]?.purpose === purpose ? all.slice(0, 1) : []
}

type Batch = {
  readonly account: string
  readonly chainId: number
  readonly calls: readonly VerifiedCall[]
}

/** All calls as one, or none of them (EIP-5792). */
async function sendBatch(ask: AskNode, { account, calls, chainId }: Batch): Promise<Sent> {
  const request = {
    version: '2.0.0',
    from: account,
    chainId: hexOf(BigInt(chainId)),
    atomicRequired: true,
    calls: calls.map(({ data, to, value }) => ({ to, data, value: hexOf(value) })),
  }
  const answer = (await ask('wallet_sendCalls', [request])) as { id?: unknown } | string
  const id = typeof answer === 'string' ? answer : answer?.id
  if (typeof id !== 'string' || id === '')
    throw new NodeError('The wallet gave no id of the calls.')
  return { id, isBatch: true }
}
