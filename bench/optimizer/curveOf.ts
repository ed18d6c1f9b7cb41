import type { Pair } from './Market.js'

/** A constant-product segment of a curve; `IOptimizer` describes the format. */
export type Segment = {
  liquidity: bigint
  start: bigint
  end: bigint
  inBefore: bigint
  outBefore: bigint
}

const Q96 = 1n << 96n
const WHOLE_PIPS = 1_000_000n
/** `end` of a segment without an end. */
const TAIL = 1n

/**
 * Returns the curve of a pool in one direction, up to an input of `limit`. After that, the last segment continues.
 *
 * A segment of liquidity a has the input x = a (1/r - 1/start) and the output y = a (start - r), where r is the root of
 * the marginal price after the fee.
 */
export function curveOf(pool: Pair, zeroForOne: boolean, limit: bigint): Segment[] {
  if (pool.kind === 'v2') {
    const [reserveIn, reserveOut] = [BigInt(pool.reserve0), BigInt(pool.reserve1)]
    return v2(zeroForOne ? reserveIn : reserveOut, zeroForOne ? reserveOut : reserveIn, pool.fee)
  }
  return v3(pool, zeroForOne, limit)
}

function v2(reserveIn: bigint, reserveOut: bigint, fee: number): Segment[] {
  const kept = WHOLE_PIPS - BigInt(fee)
  const liquidity = root((reserveIn * reserveOut * WHOLE_PIPS) / kept)
  const start = root((kept * reserveOut * Q96 * Q96) / (WHOLE_PIPS * reserveIn))
  if (liquidity === 0n || start <= TAIL) return []
  return [{ liquidity, start, end: TAIL, inBefore: 0n, outBefore: 0n }]
}

function v3(pool: Pair & { kind: 'v3' }, zeroForOne: boolean, limit: bigint): Segment[] {
  const rootKept = root(((WHOLE_PIPS - BigInt(pool.fee)) * Q96 * Q96) / WHOLE_PIPS)
  const ratio = (price: bigint) =>
    zeroForOne ? (price * rootKept) / Q96 : (rootKept * Q96) / price
  const ahead = zeroForOne
    ? pool.ticks.filter(([tick]) => tick <= pool.tick).reverse()
    : pool.ticks.filter(([tick]) => tick > pool.tick)

  const segments: Segment[] = []
  let [price, net] = [BigInt(pool.sqrtPriceX96), BigInt(pool.liquidity)]
  // Sums with 96 fractional bits, rounded once for each segment: the input up, the output down.
  let [inBefore, outBefore] = [0n, 0n]
  for (const [tick, liquidityNet] of ahead) {
    const next = sqrtPriceAt(tick)
    const [start, end, liquidity] = [ratio(price), ratio(next), (net * Q96) / rootKept]
    if (liquidity > 0n && start > end) {
      const inAfter = inBefore + (liquidity * Q96 * Q96) / end - (liquidity * Q96 * Q96) / start
      const enough = inAfter >= limit * Q96
      segments.push({
        liquidity,
        start,
        end: enough ? TAIL : end,
        inBefore: (inBefore + Q96 - 1n) / Q96,
        outBefore: outBefore / Q96,
      })
      if (enough) break
      inBefore = inAfter
      outBefore += liquidity * (start - end)
    }
    price = next
    net += zeroForOne ? -BigInt(liquidityNet) : BigInt(liquidityNet)
  }
  return segments
}

/** Returns `1.0001 ** (tick / 2)` in Q96, computed in float64 like in the oracle. */
function sqrtPriceAt(tick: number): bigint {
  return BigInt(Math.floor(Math.exp(0.5 * tick * Math.log1p(0.0001)) * 2 ** 96))
}

/** Returns the integer square root, rounded down. */
export function root(value: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}
