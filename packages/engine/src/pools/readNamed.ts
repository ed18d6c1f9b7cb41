import type { AskNode } from '../logs/AskNode.js'
import type { BroughtCode } from './adapterCalls.js'
import type { Candidate } from './Candidate.js'
import type { Held } from './createReadings.js'
import { askSales, findSales, heldBy, type Sale } from './namedSales.js'

/** Sales are tried from the largest to the smallest: what the pool would hold, divided by these. The first that the pool takes counts. */
const divisors = [1, 16, 256, 4_096] as const

/**
 * Reads which pools their adapters find only if they are proposed, and what these pay for large sales. Price and liquidity say little
 * of a pool: next to nothing makes a large liquidity within a narrow range of prices.
 *
 * @param pools With how much of each token a pool of this price and liquidity would hold.
 * @param brought Code of adapters that are not deployed.
 * @returns In the order of the pools. Balances are what the pool pays of each token. `undefined` for a pool that the adapter does not
 * find, finds without a proposal, or that pays nothing.
 * @throws if the node answers nothing.
 */
export async function readNamed(
  ask: AskNode,
  pools: readonly Candidate[],
  brought: BroughtCode,
): Promise<readonly (Held | undefined)[]> {
  const sales = await findSales(ask, pools, brought)
  return heldBy(pools, sales, await payFor(ask, sales, brought))
}

/** What pools pay for the largest sales that they take, in the order of the sales; zero for one that takes none. */
async function payFor(
  ask: AskNode,
  sales: readonly Sale[],
  brought: BroughtCode,
): Promise<readonly number[]> {
  const paid = sales.map(() => 0)
  for (const divisor of divisors) {
    const places = [...sales.keys()].filter((place) => paid[place] === 0)
    const tried = places.map((place) => {
      const { pool, zeroForOne } = sales[place]!
      return { sale: sales[place]!, amount: pool.most[zeroForOne ? 0 : 1] / divisor }
    })
    const answers = await askSales(ask, tried, brought)
    for (const [index, place] of places.entries()) paid[place] = answers[index]!
  }
  return paid
}
