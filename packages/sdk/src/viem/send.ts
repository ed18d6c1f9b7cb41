import type { Account, Client } from 'viem'
import { estimateGas, sendTransaction } from 'viem/actions'
import { type VerifyOptions, verifyTransaction } from '../verify/verifyTransaction.js'
import type { Hex } from '../wire.js'
import { demandChain } from './demandChain.js'
import { revertOf } from './revertOf.js'
import { SwapRevertedError } from './SwapRevertedError.js'

/** The quote to send, and the request that it must match. */
export type SendParameters = VerifyOptions & {
  /** @default the account of the client */
  account?: Account | Hex | undefined
}

/**
 * Gas limit in percent of the node's estimate; the quote's own limit is used if it is higher. A node estimates on its latest
 * block, and a pool that was traded on in that block writes more slots in the next one. Unused gas is not paid.
 */
const gasPercent = 125n

/**
 * Compares every field of the quote's transaction with the request, then signs and sends it.
 *
 * @returns Hash of the transaction.
 * @throws IntegrityError, or SwapRevertedError if it would revert; both before anything is signed.
 */
export async function send(client: Client, parameters: SendParameters): Promise<Hex> {
  const { account = client.account, quote, ...options } = parameters
  const { data, to, value } = verifyTransaction(quote.tx ?? {}, { quote, ...options })
  await demandChain(client, quote.chainId)
  const call = { account: account ?? null, data, to, value }
  const estimated = account === undefined ? undefined : await gasOf(client, { ...call, account })
  const said = quote.tx?.gas ?? 0n
  const gas = estimated === undefined || estimated > said ? estimated : said
  const transaction = { ...call, chain: client.chain, ...(gas !== undefined && { gas }) }
  return await sendTransaction(client, transaction as Parameters<typeof sendTransaction>[1])
}

type Call = { account: Account | Hex; data: Hex; to: Hex; value: bigint }

/** Gas limit from the node's estimate; `undefined` if the node returns none. The wallet then estimates itself. */
async function gasOf(client: Client, call: Call): Promise<bigint | undefined> {
  try {
    return ((await estimateGas(client, call)) * gasPercent) / 100n
  } catch (cause) {
    const revert = revertOf(cause)
    if (revert === undefined) return undefined
    throw new SwapRevertedError(revert, cause)
  }
}
