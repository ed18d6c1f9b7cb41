import type { AskNode } from '../logs/AskNode.js'
import type { BroughtCode } from './adapterCalls.js'
import type { Candidate } from './Candidate.js'
import type { Held } from './createReadings.js'
import { askSales, findSales, heldBy, type Sale } from './namedSales.js'

/** Sales are tried from the smallest to the largest: the most of a token that any pool is known to hold, divided by these. */
const divisors = Array.from({ length: 11 }, (_, place) => 4 ** (10 - place))
/**
 * How many sales further the next one is that is tried after a refused one, until the pool takes any: some take no small amounts,
 * and three questions are enough for a pool that pays nothing.
 */
const refusedStep = 4
/** A pool counts as deep as the largest sale whose average price is at least this part of the best. */
const leastPrice = 0.9

/**
 * Reads what pools pay whose hooks may set the curve, out of reserves that nobody can look up. Their adapters sell to them, less than
 * what the deepest known pool holds of the token that is sold. A token that no other pool is known to hold, or holds little of, is
 * sold in the amount that the pool itself pays for the other one.
 *
 * @param pools With how much of each token any pool is known to hold; zero if none is.
 * @param brought Code of adapters that are not deployed.
 * @returns In the order of the pools. Balances are what the pool pays of each token. `undefined` for a pool that the adapter does not
 * find, finds without a proposal, or that pays nothing.
 * @throws if the node answers nothing.
 */
export async function readCurves(
  ask: AskNode,
  pools: readonly Candidate[],
  brought: BroughtCode,
): Promise<readonly (Held | undefined)[]> {
  const sales = await findSales(ask, pools, brought)
  const known = sales.map(({ pool, zeroForOne }) => pool.most[zeroForOne ? 0 : 1])
  const paid = await climb(ask, sales, known, brought)
  // Both directions of a pool are beside each other: what one is paid, the other sells.
  const gained = sales.map((_, place) => paid[place % 2 === 0 ? place + 1 : place - 1]!)
  const back = gained.map((most, place) => (paid[place] === 0 || most > known[place]! ? most : 0))
  const paidBack = await climb(ask, sales, back, brought)
  return heldBy(
    pools,
    sales,
    paid.map((out, place) => Math.max(out, paidBack[place]!)),
  )
}

type Climb = {
  readonly sale: Sale
  /** In rising order. */
  readonly amounts: readonly number[]
  /** Place of the next amount. */
  next: number
  paid: number
  /** The best average price of a sale. */
  best: number
}

/**
 * Sells ever more to each pool, as long as the price is about the same.
 *
 * @param most The largest amount of each sale.
 * @returns What the largest of these sales pay.
 */
async function climb(
  ask: AskNode,
  sales: readonly Sale[],
  most: readonly number[],
  brought: BroughtCode,
): Promise<readonly number[]> {
  const climbs = sales.map((sale, place): Climb => {
    const amounts = divisors
      .map((divisor) => Math.floor(most[place]! / divisor))
      .filter((amount) => amount > 0)
    return { sale, amounts, next: 0, paid: 0, best: 0 }
  })
  while (true) {
    const open = climbs.filter(({ amounts, next }) => next < amounts.length)
    if (open.length === 0) return climbs.map(({ paid }) => paid)
    const tried = open.map(({ amounts, next, sale }) => ({ sale, amount: amounts[next]! }))
    const answers = await askSales(ask, tried, brought)
    for (const [index, each] of open.entries()) step(each, answers[index]!)
  }
}

function step(climb: Climb, paid: number): void {
  const price = paid / climb.amounts[climb.next]!
  if (paid === 0 && climb.paid === 0) climb.next += refusedStep
  else if (price < leastPrice * climb.best) climb.next = climb.amounts.length
  else {
    climb.paid = paid
    climb.best = Math.max(climb.best, price)
    climb.next++
  }
}
