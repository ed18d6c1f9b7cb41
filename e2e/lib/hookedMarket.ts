import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, type Quote } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { swapQuote } from './swapQuote.js'

/** The chain of these suites: Ethereum. */
export const chainId = 1
/** Uniswap V4's PoolManager there. */
export const manager: Address = '0x000000000004444c5dc75cB358380D2e3dE08A90'
/** One whole token of those that the suites create. */
export const whole = 10n ** 18n

/** The devnet's token of this symbol. */
export function tokenOf(devnet: Devnet, symbol: string): Address {
  return devnet.chains[0]!.tokens[symbol]!.address
}

/** A million of a token and two million dollars, in the order in which a pool has them. */
export function sidesWith(
  devnet: Devnet,
  token: Address,
): { tokens: [Address, Address]; amounts: [bigint, bigint] } {
  const sides = [
    { address: token, amount: 10n ** 6n * whole },
    { address: tokenOf(devnet, 'USDC'), amount: 2n * 10n ** 12n },
  ].sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  return {
    tokens: sides.map(({ address }) => address) as [Address, Address],
    amounts: sides.map(({ amount }) => amount) as [bigint, bigint],
  }
}

/** Quotes a sale of a thousand whole tokens. */
export function quoteSale(
  { url }: RunningServer,
  token: Address,
  out: Address,
  more: object = {},
): Promise<Quote> {
  const client = createClient({ baseUrl: url })
  return getQuote(client, { chain: chainId, in: token, out, amountIn: 1_000n * whole, ...more })
}

/** An account that nobody else uses. */
export function newRecipient(): Address {
  return privateKeyToAccount(generatePrivateKey()).address
}

/** Expects that sales of a token for dollars use its pool with hooks as soon as the service has tried it, and are paid as quoted. */
export async function expectUsedOnceTried(
  devnet: Devnet,
  server: RunningServer,
  { pool, token }: { token: Address; pool: Hex },
): Promise<void> {
  const usdc = tokenOf(devnet, 'USDC')
  const first = await quoteSale(server, token, usdc)
  expect(first.meta!.pools).toBeUndefined()
  const poolsOf = async () => {
    // Background searches wait until nobody asks.
    await new Promise((resolve) => setTimeout(resolve, 500))
    return (await quoteSale(server, token, usdc)).meta!.pools
  }
  await expect.poll(poolsOf, { timeout: 20_000 }).toEqual([pool])
  const recipient = newRecipient()
  const quote = await quoteSale(server, token, usdc, { recipient })
  expect(quote.quote!.ironFloor).toBeGreaterThan(first.amountOut)
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
}
