import { Lru } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import type { AskNode } from '../logs/AskNode.js'

/** The tokens of a pool and how much it holds of each. Floats are enough: they choose what is quoted. */
export type Held = {
  /** Address or id, in lower case. */
  readonly pool: Hex
  /** In lower case, without the pool's own share if that cannot be traded there. */
  readonly tokens: readonly Address[]
  readonly balances: readonly number[]
}

/** Time after which a pool is read again, in milliseconds: one that quotes use, another one, and one without tokens. */
const rereadMs = { used: 300_000, deep: 3_600_000 } as const
const rereadEmptyMs = { first: 21_600_000, last: 21_600_000 } as const
/** Maximum number of pools read in the first round, and in each later one. */
const mostReadUsually = { first: 2_000, later: 200 } as const
/** Pools in one request to a node. */
const readAtOnce = 100
/** Maximum number of pools that are kept. Anybody can announce pools, so that the deepest are. */
const maxKept = 5_000
/** How long a pool counts as used after a quote with it, in milliseconds, and how many names do. */
const usedMs = 1_800_000
const maxUsed = 500

/** What pools hold that anybody can announce, read little by little. */
export type Readings<pool, depth> = {
  /**
   * Reads those of the announced pools that were not read for a while.
   *
   * @param valued Tokens whose amounts say how deep a pool is: anybody can make any number of others.
   * @returns Whether there are pools that were not there before.
   * @throws if the node does not answer. What was read before it stays.
   */
  readonly refresh: (
    ask: AskNode,
    announced: readonly pool[],
    valued: readonly Address[],
  ) => Promise<boolean>
  /** Pools that hold a token. */
  readonly holding: (token: Address) => readonly depth[]
  readonly all: () => readonly depth[]
  /** Records that quotes use the pools of these names. */
  readonly use: (names: readonly string[]) => void
}

export type Reader<pool, depth> = {
  /** @returns In the order of the pools; `undefined` for an empty one. */
  readonly read: (ask: AskNode, pools: readonly pool[]) => Promise<readonly (depth | undefined)[]>
  /** Tells pools apart. */
  readonly keyOf: (pool: pool) => string
  /** The names under which quotes use a pool, in lower case. */
  readonly namesOf: (pool: pool) => readonly string[]
  /** Maximum number of pools read in the first round, and in each later one. @default 2,000 and 200 */
  readonly mostRead?: { readonly first: number; readonly later: number } | undefined
  /**
   * Time after which an empty pool is read again, in milliseconds: the first time, and at most. It doubles each time that the pool
   * is still empty. @default six hours
   */
  readonly emptyMs?: { readonly first: number; readonly last: number } | undefined
}

type Reading<depth> = {
  readonly depth: depth | undefined
  readonly at: number
  /** How many times in a row the pool was empty. */
  readonly blanks: number
}

/** Which pools are read first. Those that pay nothing come last: anybody can announce any number of them. */
const ranks: Readonly<Record<'used' | 'unread' | 'deep' | 'empty', number>> = {
  used: 0,
  unread: 1,
  deep: 2,
  empty: 3,
}

/** @param now Unix milliseconds. */
export function createReadings<pool, depth extends Held>(
  now: () => number,
  options: Reader<pool, depth>,
): Readings<pool, depth> {
  const { emptyMs = rereadEmptyMs, keyOf, mostRead = mostReadUsually, namesOf, read } = options
  const readings = new Map<string, Reading<depth>>()
  const used = Lru.create<string, number>(maxUsed)
  let kept: readonly depth[] = []
  let byToken: ReadonlyMap<Address, readonly depth[]> = new Map()

  const isUsed = (pool: pool) =>
    namesOf(pool).some((name) => now() - (used.get(name) ?? Number.NEGATIVE_INFINITY) < usedMs)

  const waitAfter = (blanks: number) => Math.min(emptyMs.first * 2 ** (blanks - 1), emptyMs.last)

  function dueIn(announced: readonly pool[]): readonly pool[] {
    const due = announced.flatMap((pool) => {
      const reading = readings.get(keyOf(pool))
      if (reading === undefined) return [{ pool, rank: ranks.unread, at: 0 }]
      const { at, depth } = reading
      const kind = isUsed(pool) ? 'used' : depth ? 'deep' : 'empty'
      const wait = kind === 'empty' ? waitAfter(reading.blanks) : rereadMs[kind]
      return now() - at < wait ? [] : [{ pool, rank: ranks[kind], at }]
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
      const dropped = [...readings.keys()].filter((key) => !keys.has(key))
      for (const key of dropped) readings.delete(key)
      const due = dueIn(announced)
      if (due.length + dropped.length === 0) return false
      let hasNew = false
      for (let first = 0; first < due.length; first += readAtOnce) {
        const part = due.slice(first, first + readAtOnce)
        const depths = await read(ask, part)
        for (const [index, pool] of part.entries()) {
          const depth = depths[index]
          const before = readings.get(keyOf(pool))
          hasNew ||= depth !== undefined && before?.depth === undefined
          const blanks = depth === undefined ? (before?.blanks ?? 0) + 1 : 0
          readings.set(keyOf(pool), { depth, at: now(), blanks })
        }
      }
      const deep = [...readings.values()].flatMap(({ depth }) => depth ?? [])
      kept = deepest(deep, valued)
      byToken = tokensOf(kept)
      return hasNew
    },
    holding: (token) => byToken.get(token.toLowerCase() as Address) ?? [],
    all: () => kept,
    use(names) {
      for (const name of names) used.put(name.toLowerCase(), now())
    },
  }
}

/** The pools that hold the largest shares of a valued token, if there are too many. */
function deepest<depth extends Held>(
  pools: readonly depth[],
  valued: readonly Address[],
): readonly depth[] {
  if (pools.length <= maxKept) return pools
  const most = new Map(valued.map((token) => [token.toLowerCase(), 0]))
  for (const { balances, tokens } of pools)
    for (const [index, token] of tokens.entries())
      if (most.has(token)) most.set(token, Math.max(most.get(token)!, balances[index]!))
  const shareOf = ({ balances, tokens }: Held) =>
    Math.max(...tokens.map((token, index) => balances[index]! / (most.get(token) || Infinity)))
  return [...pools].sort((a, b) => shareOf(b) - shareOf(a)).slice(0, maxKept)
}

function tokensOf<depth extends Held>(
  pools: readonly depth[],
): ReadonlyMap<Address, readonly depth[]> {
  const found = new Map<Address, depth[]>()
  for (const pool of pools)
    for (const token of pool.tokens) {
      const beside = found.get(token)
      if (beside === undefined) found.set(token, [pool])
      else beside.push(pool)
    }
  return found
}
