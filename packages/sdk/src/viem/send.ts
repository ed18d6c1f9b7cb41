import type { Account, Client } from 'viem'
import { sendTransaction } from 'viem/actions'
import { type VerifyOptions, verifyTransaction } from '../verify/verifyTransaction.js'
import type { Hex } from '../wire.js'
import { demandChain } from './demandChain.js'

export type SendParameters = VerifyOptions & {
  /** @default the client's */
  account?: Account | Hex | undefined
}

/**
 * Signs and sends the quote's transaction, after every field of it was compared with the request.
 *
 * @returns Hash of the transaction.
 * @throws IntegrityError before anything is signed.
 */
export async function send(client: Client, parameters: SendParameters): Promise<Hex> {
  const { account = client.account, quote, ...options } = parameters
  const { data, to } = verifyTransaction(quote.tx ?? {}, { quote, ...options })
  await demandChain(client, quote.chainId)
  const transaction = { account: account ?? null, chain: client.chain, data, to, value: 0n }
  return await sendTransaction(client, transaction as Parameters<typeof sendTransaction>[1])
}
