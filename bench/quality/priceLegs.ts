import { finderAbi, pricerAbi } from '@sluice/abi'
import { type Plan, type PlanChecks, PoolHints } from '@sluice/domain'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  numberToHex,
  size,
  slice,
} from 'viem'
import type { OracleEdge } from '../optimizer/Oracle.js'
import type { Standing } from './Standing.js'

/** A pool that the Finder returned: `PoolWords` of the contracts, and the values that this bench reads from them. */
type Found = {
  words: readonly bigint[]
  key: bigint
  pool: Address
  address0: Address
  address1: Address
}

/** Gas that the deployed Pricer states for swaps between the tokens in play. */
export type LegPrices = {
  /** Gas of a swap of `amountIn` on one of the oracle's directed pools; zero if a quote does not read the pool. */
  gasOf(edge: OracleEdge, amountIn: number): Promise<number>
  /** Gas of a route's legs, each with the amount held at that moment. */
  gasOfRoute(route: Plan.Route): Promise<number>
}

/** Reads the pools that a quote of the two tokens with these hints reads. */
export async function priceLegs(
  { contracts, hinted, pools, rpc, tokens }: Standing,
  { amountIn: asked, tokenIn, tokenOut }: PlanChecks.Trade,
  hints: readonly Address[] = [],
): Promise<LegPrices> {
  const call = async (to: Address, data: Hex) =>
    await rpc.request<Hex>('eth_call', [{ to, data }, 'latest'])
  const functionName = 'findMarket'
  const words = hinted.map((hint) => BigInt(hint))
  const options = { gasPrice: 0n, connectors: hints, excludedVenues: 0n, pools: words }
  const args = [contracts.hub, tokenIn, tokenOut, asked, options] as const
  const question = encodeFunctionData({ abi: finderAbi, functionName, args })
  const data = await call(contracts.finder, question)
  const found = poolsIn(decodeFunctionResult({ abi: finderAbi, functionName, data }))

  const find = (
    from: Address,
    to: Address,
    address: Address,
    { hint, key }: { key?: bigint | undefined; hint?: PoolHints.PoolHint | undefined },
  ): Found | undefined =>
    found.find(
      (candidate) =>
        isSame(candidate.pool, address) &&
        [from, to].every((token) =>
          [candidate.address0, candidate.address1].some((own) => isSame(own, token)),
        ) &&
        (key === undefined || candidate.key === key) &&
        (hint === undefined || PoolHints.isOfKey(hint, candidate.key)),
    )
  const quote = async (pool: Found, from: Address, amountIn: bigint) => {
    const data = encodeFunctionData({
      abi: pricerAbi,
      functionName: 'quote',
      args: [pool.words, isSame(pool.address0, from), amountIn],
    })
    const answer = await call(contracts.pricer, data)
    return decodeFunctionResult({ abi: pricerAbi, functionName: 'quote', data: answer })
  }
  return {
    async gasOf(edge, amountIn) {
      const [from, to] = [tokens[edge.from]!, tokens[edge.to]!]
      const { address, ...which } = pools.get(edge.pool.id)!
      const pool = find(from, to, address, which)
      // In favor of the other side: a quote that does not read the pool cannot use it.
      if (!pool) return 0
      const [, gas] = await quote(pool, from, BigInt(Math.floor(amountIn)))
      return Number(gas)
    },
    async gasOfRoute({ amountIn, legs, tokenIn }) {
      const held = new Map([[tokenIn.toLowerCase(), amountIn]])
      let total = 0
      for (const leg of legs) {
        const [from, to] = [leg.tokenIn.toLowerCase(), leg.tokenOut.toLowerCase()]
        const amount = ((held.get(from) ?? 0n) * leg.share) / WHOLE_SHARE
        const key = withoutFloor(leg.key)
        const pool = find(leg.tokenIn, leg.tokenOut, leg.pool, { key })
        if (!pool) throw new Error(`The Finder does not find the pool ${leg.pool} of a leg.`)
        const [amountOut, gas] = await quote(pool, leg.tokenIn, amount)
        held.set(from, held.get(from)! - amount)
        held.set(to, (held.get(to) ?? 0n) + amountOut)
        total += Number(gas)
      }
      return total
    },
  }
}

/** A leg's key as the Finder has it: without the least price of the leg, which the keys of pools with hooks also hold. */
function withoutFloor(key: bigint): bigint {
  return PoolHints.isHookedKey(key) ? BigInt.asUintN(POOL_BITS, key) : key
}

/** Decodes the pools of a market from the Finder's output, `MarketWords` of the contracts. */
function poolsIn(market: Hex): Found[] {
  const [head, , ...rest] = arraysIn(market)
  return rest.slice(0, Number(head![1])).map((words) => {
    const [key, pool, address0, address1] = words.slice(3, 7) as [bigint, bigint, bigint, bigint]
    return {
      words,
      key,
      pool: addressOf(pool),
      address0: addressOf(address0),
      address1: addressOf(address1),
    }
  })
}

/** Decodes consecutive arrays; each is its length and then its words. */
function arraysIn(joined: Hex): bigint[][] {
  const wordAt = (place: number) => hexToBigInt(slice(joined, 32 * place, 32 * place + 32))
  const arrays: bigint[][] = []
  for (let place = 0; place < size(joined) / 32; ) {
    const length = Number(wordAt(place))
    arrays.push(Array.from({ length }, (_, index) => wordAt(place + 1 + index)))
    place += 1 + length
  }
  return arrays
}

function addressOf(word: bigint): Address {
  return getAddress(numberToHex(word, { size: 20 }))
}

const WHOLE_SHARE = 10n ** 18n
/** Bits of a key that name the pool. */
const POOL_BITS = 208

function isSame(a: Address, b: Address): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
