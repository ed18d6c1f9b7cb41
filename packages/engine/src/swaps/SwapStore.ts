import type { Address, Hex } from 'viem'
import type { Cursor } from '../logs/Block.js'
import type { LogStore } from '../logs/followLogs.js'
import { LogsError } from '../logs/LogsError.js'
import { checkpointEvery, keptBlocks } from '../logs/retention.js'
import { openLibsql } from './openLibsql.js'
import { openPostgres } from './openPostgres.js'
import type { Row, Sql, Statement } from './Sql.js'
import { type SwapEvent, type SwapEventName, swapEventOf } from './SwapEvent.js'
import type { SwapFault } from './SwapFault.js'
import {
  daysCounted,
  insertBlocks,
  insertEvents,
  schema,
  selectDays,
  selectTraders,
} from './statements.js'

/** State of a chain's index. */
export type IndexedChain = {
  readonly chainId: number
  /** Addresses of the indexed Routers: comma-separated, in lower case, sorted. */
  readonly routers: string
  readonly firstBlock: number
  /** The last block that was read. */
  readonly cursor: Cursor | undefined
  /** The chain's latest block at the last look. */
  readonly head: number | undefined
  /** When the index last reached the latest block, in unix milliseconds. */
  readonly reachedAt: number | undefined
  /** Why the last round failed. */
  readonly failure: SwapFault | undefined
}

export type EventCount = { readonly events: number; readonly traders: number }

export type SwapCounts = {
  readonly chains: readonly IndexedChain[]
  /** By chain. */
  readonly counts: ReadonlyMap<number, ReadonlyMap<SwapEventName, EventCount>>
  /** Swaps of a chain by range of blocks, the oldest range first. */
  readonly days: ReadonlyMap<number, readonly number[]>
  /** Number of distinct traders in `Swap` events on chains that are up to date. */
  readonly traders: number
}

/** A swap's tokens and input; addresses in lower case. */
export type Trade = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** Store of the Routers' events, by chain. Survives restarts and is shared by processes. */
export type SwapStore = {
  /** Acquires or renews the right to write a chain; false if another process has it. */
  readonly claim: (chainId: number, claim: SwapStore.Claim) => Promise<boolean>
  /** Releases the right to write, on all chains. */
  readonly release: (writer: string) => Promise<void>
  readonly chain: (chainId: number) => Promise<IndexedChain | undefined>
  /** Deletes a chain's data and sets its Routers and first block. */
  readonly begin: (
    chainId: number,
    options: { routers: string; firstBlock: number },
  ) => Promise<void>
  readonly logs: (chainId: number) => LogStore
  readonly note: (chainId: number, news: SwapStore.News) => Promise<void>
  /** Latest swaps of a chain, newest first, at most `most`. */
  readonly latest: (chainId: number, most: number) => Promise<readonly Trade[]>
  /** Counts everything on one snapshot of the store. */
  readonly count: (upToDate: SwapStore.UpToDate) => Promise<SwapCounts>
  readonly close: () => Promise<void>
}

export declare namespace SwapStore {
  /** Times are unix milliseconds. */
  type Claim = { writer: string; now: number; until: number }
  type News = { head?: number; reachedAt?: number; failure?: SwapFault }
  /**
   * Chains to include: those with these Routers that were up to date at or after `since`. `days` has the number of blocks of
   * about a day, by chain.
   */
  type UpToDate = {
    routers: ReadonlyMap<number, string>
    since: number
    days: ReadonlyMap<number, number>
  }
}

/**
 * @param where Path of a file (`:memory:` keeps it in memory), or URL of a Postgres database. The URL is secret, since
 * it may contain a password.
 */
export function openSwapStore(where: { path: string } | { url: string }): SwapStore {
  return createSwapStore(
    'url' in where ? openPostgres(where.url, schema) : openLibsql(where.path, schema),
  )
}

function createSwapStore(sql: Sql): SwapStore {
  return {
    claim: (chainId, { now, until, writer }) =>
      sql.write([
        {
          text: `INSERT INTO swap_chains (chain, routers, first_block, writer, writer_until)
            VALUES ($1, '', 0, '', 0) ON CONFLICT DO NOTHING`,
          values: [chainId],
        },
        {
          text: `UPDATE swap_chains SET writer = $1, writer_until = $2
            WHERE chain = $3 AND (writer = $1 OR writer_until < $4)`,
          values: [writer, until, chainId, now],
          mustChange: 1,
        },
      ]),
    async release(writer) {
      const text = 'UPDATE swap_chains SET writer_until = 0 WHERE writer = $1'
      await sql.write([{ text, values: [writer] }])
    },
    async chain(chainId) {
      const [rows] = await sql.read([
        { text: 'SELECT * FROM swap_chains WHERE chain = $1', values: [chainId] },
      ])
      return rows![0] && chainOf(rows![0])
    },
    async begin(chainId, { firstBlock, routers }) {
      await sql.write([
        ...forget(chainId),
        {
          text: `UPDATE swap_chains SET routers = $1, first_block = $2, number = NULL, hash = NULL, head = NULL,
            reached_at = NULL, failure = NULL WHERE chain = $3`,
          values: [routers, firstBlock, chainId],
        },
      ])
    },
    logs: (chainId) => logStoreOf(sql, chainId),
    async note(chainId, { failure, head, reachedAt }) {
      await sql.write([
        {
          text: `UPDATE swap_chains SET failure = $1, head = COALESCE($2, head), reached_at = COALESCE($3, reached_at)
            WHERE chain = $4`,
          values: [failure ?? null, head ?? null, reachedAt ?? null, chainId],
        },
      ])
    },
    async latest(chainId, most) {
      const [rows] = await sql.read([
        {
          text: `SELECT token_in, token_out, substr(data, 1, 66) AS amount_in FROM swap_events
            WHERE chain = $1 AND event = 'Swap' ORDER BY block DESC, log_index DESC LIMIT $2`,
          values: [chainId, most],
        },
      ])
      return rows!.map((row) => ({
        tokenIn: row['token_in'] as Address,
        tokenOut: row['token_out'] as Address,
        amountIn: BigInt(row['amount_in'] as Hex),
      }))
    },
    async count({ days, routers, since }) {
      const [chains, events, traders, ...ranges] = await sql.read([
        { text: 'SELECT * FROM swap_chains ORDER BY chain', values: [] },
        {
          text: `SELECT chain, event, count(*) AS events, count(DISTINCT trader) AS traders
            FROM swap_events GROUP BY chain, event`,
          values: [],
        },
        selectTraders(routers, since),
        ...[...days].map(([chainId, blocks]) => selectDays(chainId, blocks)),
      ])
      return {
        chains: chains!.map(chainOf),
        counts: countsOf(events!),
        days: new Map([...days.keys()].map((id, index) => [id, daysOf(ranges[index]!)])),
        traders: Number(traders![0]!['traders']),
      }
    },
    close: sql.close,
  }
}

function logStoreOf(sql: Sql, chainId: number): LogStore {
  async function move(after: Cursor | undefined, to: Cursor | undefined, more: Statement[]) {
    const moveCursor: Statement = {
      text: `UPDATE swap_chains SET number = $1, hash = $2 WHERE chain = $3 AND hash IS NOT DISTINCT FROM $4`,
      values: [to?.number ?? null, to?.hash ?? null, chainId, after?.hash ?? null],
      mustChange: 1,
    }
    // Must be first: it also makes other writers of the chain wait.
    if (await sql.write([moveCursor, ...more])) return
    throw new LogsError('moved', 'Another process has written the index in the meantime.')
  }
  return {
    async cursor() {
      const [rows] = await sql.read([
        { text: 'SELECT * FROM swap_chains WHERE chain = $1', values: [chainId] },
      ])
      return rows![0] && chainOf(rows![0]).cursor
    },
    async kept() {
      const [rows] = await sql.read([
        {
          text: 'SELECT number, hash FROM swap_blocks WHERE chain = $1 ORDER BY number',
          values: [chainId],
        },
      ])
      return rows!.map(({ hash, number }) => ({ number: Number(number), hash: hash as Hex }))
    },
    async append(after, { blocks, logs }) {
      const events: readonly SwapEvent[] = logs.map(swapEventOf)
      const last = blocks.at(-1)!
      await move(after, last, [
        ...insertEvents(chainId, events),
        ...insertBlocks(chainId, blocks),
        {
          text: `DELETE FROM swap_blocks WHERE chain = $1 AND number < $2 AND number % ${checkpointEvery} <> 0
            AND number <> (SELECT first_block FROM swap_chains WHERE chain = $1)`,
          values: [chainId, last.number - keptBlocks],
        },
      ])
    },
    async rewind(after, to) {
      await move(after, to, forget(chainId, to?.number))
    },
  }
}

/** Deletes a chain's data after a block, or all of it. */
function forget(chainId: number, after = -1): Statement[] {
  const values = [chainId, after]
  return [
    { text: 'DELETE FROM swap_events WHERE chain = $1 AND block > $2', values },
    { text: 'DELETE FROM swap_blocks WHERE chain = $1 AND number > $2', values },
  ]
}

function chainOf(row: Row): IndexedChain {
  const number = (name: string) => (row[name] === null ? undefined : Number(row[name]))
  const cursorNumber = number('number')
  return {
    chainId: Number(row['chain']),
    routers: row['routers'] as string,
    firstBlock: Number(row['first_block']),
    cursor:
      cursorNumber === undefined ? undefined : { number: cursorNumber, hash: row['hash'] as Hex },
    head: number('head'),
    reachedAt: number('reached_at'),
    failure: (row['failure'] as SwapFault | null) ?? undefined,
  }
}

function daysOf(rows: readonly Row[]): readonly number[] {
  const fills = new Map(rows.map((row) => [Number(row['ago']), Number(row['fills'])]))
  return Array.from({ length: daysCounted }, (_, index) => fills.get(daysCounted - 1 - index) ?? 0)
}

function countsOf(rows: readonly Row[]): SwapCounts['counts'] {
  const counts = new Map<number, Map<SwapEventName, EventCount>>()
  for (const { chain, event, events, traders } of rows) {
    const ofChain = counts.get(Number(chain)) ?? new Map<SwapEventName, EventCount>()
    const count = { events: Number(events), traders: Number(traders) }
    counts.set(Number(chain), ofChain.set(event as SwapEventName, count))
  }
  return counts
}
