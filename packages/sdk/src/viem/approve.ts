import { type Account, type Client, erc20Abi } from 'viem'
import { writeContract } from 'viem/actions'
import type { Quote } from '../amounts.js'
import { IntegrityError } from '../errors.js'
import type { Registry } from '../verify/registry.js'
import type { Hex } from '../wire.js'
import { demandChain } from './demandChain.js'

export type ApproveParameters = {
  quote: Quote
  registry: Registry
  /** @default the client's */
  account?: Account | Hex | undefined
}

/**
 * Allows the Router of the registry the quote's exact input, and nothing more.
 *
 * @returns Hash of the transaction.
 * @throws IntegrityError where the quote names another spender or amount.
 */
export async function approve(client: Client, parameters: ApproveParameters): Promise<Hex> {
  const { account = client.account, quote, registry } = parameters
  const router = registry.get(quote.chainId)?.contracts.router
  const { approval } = quote
  const isOurs =
    router !== undefined &&
    BigInt(router) !== 0n &&
    (approval === undefined || approval.spender.toLowerCase() === router.toLowerCase())
  if (!isOurs) throw refuse('spender', 'The spender is not the Router of the registry.')
  if (approval && approval.token.toLowerCase() !== quote.tokenIn.toLowerCase())
    throw refuse('token', 'The token is not the one that is sold.')
  if (approval && approval.amount !== quote.amountIn)
    throw refuse('amount', 'The amount is not the one that is sold.')
  await demandChain(client, quote.chainId)
  return await writeContract(client, {
    account: account ?? null,
    chain: client.chain,
    address: quote.tokenIn,
    abi: erc20Abi,
    functionName: 'approve',
    args: [router, quote.amountIn],
  })
}

function refuse(check: string, message: string): IntegrityError {
  return new IntegrityError(check, message, {
    code: 'bad_transaction',
    metaMessages: ['Do not approve it.'],
  })
}
