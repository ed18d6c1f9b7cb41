import { type Account, type Client, erc20Abi } from 'viem'
import { writeContract } from 'viem/actions'
import type { Quote } from '../amounts.js'
import { IntegrityError } from '../errors.js'
import type { RegisteredChain, Registry } from '../verify/registry.js'
import type { Hex } from '../wire.js'
import { demandChain } from './demandChain.js'

/** The quote whose input to approve. */
export type ApproveParameters = {
  quote: Quote
  registry: Registry
  /** @default the account of the client */
  account?: Account | Hex | undefined
}

/**
 * Approves the Router in the registry for exactly the input of the quote: `amountIn`, or `exactOutput.amountInMax`.
 *
 * @returns Hash of the transaction.
 * @throws IntegrityError if the quote names another spender or amount.
 */
export async function approve(client: Client, parameters: ApproveParameters): Promise<Hex> {
  const { account = client.account, quote, registry } = parameters
  const { approval } = quote
  const router = routerOf(registry.get(quote.chainId), approval?.spender)
  if (router === undefined || BigInt(router) === 0n)
    throw refuse('spender', 'The spender of the quote is not the Router in the registry.')
  if (approval && approval.token.toLowerCase() !== quote.tokenIn.toLowerCase())
    throw refuse('token', 'The token to approve is not the input token of the quote.')
  const amount = quote.exactOutput?.amountInMax ?? quote.amountIn
  // No tolerance allows more than half of the quoted input on top.
  if (amount < quote.amountIn || 2n * amount > 3n * quote.amountIn + 2n)
    throw refuse(
      'amount',
      '`exactOutput.amountInMax` does not follow from `amountIn` of the quote.',
    )
  if (approval && approval.amount !== amount)
    throw refuse('amount', 'The amount to approve is not what the quote sells.')
  await demandChain(client, quote.chainId)
  return await writeContract(client, {
    account: account ?? null,
    chain: client.chain,
    address: quote.tokenIn,
    abi: erc20Abi,
    functionName: 'approve',
    args: [router, amount],
  })
}

/** Address in the registry of the Router that the quote names; the Router of `contracts` if it names none. */
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
