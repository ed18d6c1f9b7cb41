import { Events } from '@sluice/domain'
import { type StatsFault, type StatsResponse, statsFaults } from './stats.js'

type ChainStats = {
  readonly chainId: number
  readonly name: string
  readonly routers: readonly { readonly version: string; readonly address: string }[]
  /** Why the chain has no figures; `undefined` if it has them. */
  readonly fault: StatsFault | undefined
  readonly figures:
    | {
        readonly events: Readonly<Record<Events.Counted, number>>
        readonly traders: number
      }
    | undefined
  readonly daily: { readonly blocks: number; readonly fills: readonly number[] } | undefined
  readonly firstBlock: number | undefined
  readonly cursor: { readonly number: number; readonly hash: string } | undefined
  readonly head: number | undefined
  readonly reachedAt: number | undefined
}

/** Encodes the response of GET /api/stats. A chain without figures gets null, never 0. */
export function encodeStats(stats: {
  readonly measuredAt: number
  readonly chains: readonly ChainStats[]
  readonly traders: number | undefined
}): StatsResponse {
  const chains = stats.chains.map(encodeChain)
  const read = chains.filter(({ ok }) => ok)
  const measured = read.length > 0
  return {
    ok: true,
    totals: {
      fills: measured ? read.reduce((sum, { fills }) => sum + (fills ?? 0), 0) : null,
      uniqueTraders: stats.traders ?? null,
      chainsOk: read.length,
      chainsTotal: chains.length,
      measured,
    },
    measuredAt: stats.measuredAt,
    chains,
  }
}

function encodeChain(chain: ChainStats): StatsResponse['chains'][number] {
  const { chainId, cursor, daily, fault, figures, firstBlock, head, name, reachedAt, routers } =
    chain
  const isRead = fault === undefined && figures !== undefined && cursor !== undefined
  // The index can be ahead of a lagging node.
  const latest = head === undefined ? undefined : Math.max(head, cursor?.number ?? 0)
  return {
    chainId,
    name,
    ok: isRead,
    ...(fault !== undefined && { code: fault, error: statsFaults[fault] }),
    fills: isRead ? figures.events.Swap : null,
    uniqueTraders: isRead ? figures.traders : null,
    daily: isRead && daily ? { blocks: daily.blocks, fills: [...daily.fills] } : null,
    fromBlock: firstBlock ?? null,
    toBlock: cursor?.number ?? null,
    toBlockHash: cursor?.hash ?? null,
    headBlock: latest ?? null,
    lagBlocks: latest === undefined || cursor === undefined ? null : latest - cursor.number,
    progress: progressOf(firstBlock, cursor?.number, latest),
    readAt: reachedAt ?? null,
    events: isRead ? figures.events : null,
    routers: routers.map(({ address, version }) => ({ version, address })),
    filter: isRead
      ? {
          address: routers.map(({ address }) => address),
          topics: [Events.all.Swap.topic0],
          fromBlock: hexOf(firstBlock!),
          toBlock: hexOf(cursor.number),
        }
      : null,
  }
}

/** Indexed share of the blocks, rounded down to 1/10,000, so that 1 means complete. */
function progressOf(
  first: number | undefined,
  reached: number | undefined,
  latest: number | undefined,
): number | null {
  if (first === undefined || reached === undefined || latest === undefined) return null
  const [done, all] = [reached - first + 1, latest - first + 1]
  return Math.floor((10_000 * done) / all) / 10_000
}

function hexOf(number: number): string {
  return `0x${number.toString(16)}`
}
