import { type Account, type Client, erc20Abi } from 'viem'
import { writeContract } from 'viem/actions'
import type { Quote } from '../amounts.js'
import { IntegrityError } from '../errors.js'
import type { RegisteredChain, Registry } from '../verify/registry.js'
import type { Hex } from '../wire.js'
import { demandChain } from './demandChain.js'

/** The quote whose input is approved. */
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
 * @throws IntegrityError if the quote names another spender or amount.
 */
export async function approve(client: Client, parameters: ApproveParameters): Promise<Hex> {
  const { account = client.account, quote, registry } = parameters
  const { approval } = quote
  const router = routerOf(registry.get(quote.chainId), approval?.spender)
  if (router === undefined || BigInt(router) === 0n)
    throw refuse('spender', 'The spender is not the Router of the registry.')
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

/** The registry's own address of the Router that the quote names; that of `contracts` if it names none. */
function routerOf(chain: RegisteredChain | undefined, spender: string | undefined) {
  if (chain === undefined) return undefined
  const generations = [chain.contracts, ...Object.values(chain.versions ?? {})]
  const routers = generations.map(({ router }) => router)
  if (spender === undefined) return routers[0]
  return routers.find((router) => router.toLowerCase() === spender.toLowerCase())
}

function refuse(check: string, message: string): IntegrityError {
  return new IntegrityError(check, message, {
    code: 'bad_transaction',
    metaMessages: ['Do not approve it.'],
  })
}
