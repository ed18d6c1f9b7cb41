import type { Account, Client } from 'viem'
import { estimateGas, sendTransaction } from 'viem/actions'
import { type VerifyOptions, verifyTransaction } from '../verify/verifyTransaction.js'
import type { Hex } from '../wire.js'
import { demandChain } from './demandChain.js'
import { revertOf } from './revertOf.js'
import { SwapRevertedError } from './SwapRevertedError.js'

/** The quote to send, and the request that it must match. */
export type SendParameters = VerifyOptions & {
  /** @default the client's */
  account?: Account | Hex | undefined
}

/**
 * What the gas limit is above the node's estimate, at least; the quote's own limit wins if it is higher. A node estimates on its latest block, and pools that were traded on in
 * that block write more in the next one; gas that is not used is not paid.
 */
const gasPercent = 125n

/**
 * Signs and sends the quote's transaction, after every field of it was compared with the request.
 *
 * @returns Hash of the transaction.
 * @throws IntegrityError, and SwapRevertedError if the node says that it would revert, before anything is signed.
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

/** `undefined` if the node gives no estimate; the wallet then makes one of its own. */
async function gasOf(client: Client, call: Call): Promise<bigint | undefined> {
  try {
    return ((await estimateGas(client, call)) * gasPercent) / 100n
  } catch (cause) {
    const revert = revertOf(cause)
    if (revert === undefined) return undefined
    throw new SwapRevertedError(revert, cause)
  }
}
