import { Lru } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import type { HintedPool } from './hintedEvents.js'
import { type HintedDepth, type Place, readHinted } from './readHinted.js'

/** Time after which a pool is read again, in milliseconds: one that quotes use, another one, and one without tokens. */
const rereadMs = { used: 300_000, deep: 3_600_000, empty: 21_600_000 } as const
/** Maximum number of pools read in the first round, and in each later one. */
const mostRead = { first: 2_000, later: 200 } as const
/** Pools in one request to a node. */
const readAtOnce = 100
/** Maximum number of pools that are kept. Anybody can register pools, so that the deepest are. */
const maxKept = 5_000
/** How long a pool counts as used after a quote with it, in milliseconds, and how many do. */
const usedMs = 1_800_000
const maxUsed = 500

/** The pools of one chain that are found only as hints, with what they hold. */
export type HintedPools = {
  /**
   * Reads those of the announced pools that were not read for a while.
   *
   * @param valued Tokens whose amounts say how deep a pool is: anybody can make any number of others.
   * @returns Whether there are pools that were not there before.
   * @throws if the node does not answer. What was read before it stays.
   */
  readonly refresh: (
    ask: AskNode,
    announced: readonly HintedPool[],
    valued: readonly Address[],
  ) => Promise<boolean>
  /** Pools that hold a token. */
  readonly holding: (token: Address) => readonly HintedDepth[]
  /** Records that quotes use these pools. */
  readonly use: (pools: readonly Hex[]) => void
}

type Reading = { readonly depth: HintedDepth | undefined; readonly at: number }

/** @param now Unix milliseconds. */
export function createHintedPools(now: () => number): HintedPools {
  const places = new Map<Address, Place>()
  const readings = new Map<string, Reading>()
  const used = Lru.create<string, number>(maxUsed)
  let byToken: ReadonlyMap<Address, readonly HintedDepth[]> = new Map()

  function dueIn(announced: readonly HintedPool[]): readonly HintedPool[] {
    const due = announced.flatMap((pool) => {
      const reading = readings.get(keyOf(pool))
      if (reading === undefined) return [{ pool, rank: 1, at: 0 }]
      const isUsed = now() - (used.get(pool.pool) ?? Number.NEGATIVE_INFINITY) < usedMs
      const wait = isUsed ? rereadMs.used : reading.depth ? rereadMs.deep : rereadMs.empty
      return now() - reading.at < wait ? [] : [{ pool, rank: isUsed ? 0 : 2, at: reading.at }]
    })
    const most = readings.size === 0 ? mostRead.first : mostRead.later
    return due
      .sort((a, b) => a.rank - b.rank || a.at - b.at)
      .slice(0, most)
      .map(({ pool }) => pool)
  }

  return {
    async refresh(ask, announced, valued) {
      const keys = new Set(announced.map(keyOf))
      for (const key of readings.keys()) if (!keys.has(key)) readings.delete(key)
      const due = dueIn(announced)
      let hasNew = false
      for (let first = 0; first < due.length; first += readAtOnce) {
        const part = due.slice(first, first + readAtOnce)
        const depths = await readHinted(ask, part, places)
        for (const [index, pool] of part.entries()) {
          const depth = depths[index]
          hasNew ||= depth !== undefined && readings.get(keyOf(pool))?.depth === undefined
          readings.set(keyOf(pool), { depth, at: now() })
        }
      }
      const deep = [...readings.values()].flatMap(({ depth }) => depth ?? [])
      byToken = tokensOf(deepest(deep, valued))
      return hasNew
    },
    holding: (token) => byToken.get(token.toLowerCase() as Address) ?? [],
    use(pools) {
      for (const pool of pools) used.put(pool.toLowerCase(), now())
    },
  }
}

/** Anybody can register any address in some registries, also that of another registry's pool. */
function keyOf({ pool, registry }: HintedPool): string {
  return `${registry} ${pool}`
}

/** The pools that hold the largest shares of a valued token, if there are too many. */
function deepest(
  pools: readonly HintedDepth[],
  valued: readonly Address[],
): readonly HintedDepth[] {
  if (pools.length <= maxKept) return pools
  const most = new Map(valued.map((token) => [token.toLowerCase(), 0]))
  for (const { balances, tokens } of pools)
    for (const [index, token] of tokens.entries())
      if (most.has(token)) most.set(token, Math.max(most.get(token)!, balances[index]!))
  const shareOf = ({ balances, tokens }: HintedDepth) =>
    Math.max(...tokens.map((token, index) => balances[index]! / (most.get(token) ?? Infinity)))
  return [...pools].sort((a, b) => shareOf(b) - shareOf(a)).slice(0, maxKept)
}

function tokensOf(pools: readonly HintedDepth[]): ReadonlyMap<Address, readonly HintedDepth[]> {
  const found = new Map<Address, HintedDepth[]>()
  for (const pool of pools)
    for (const token of pool.tokens) {
      const beside = found.get(token)
      if (beside === undefined) found.set(token, [pool])
      else beside.push(pool)
    }
  return found
}
