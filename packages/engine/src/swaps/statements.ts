import type { Cursor } from '../logs/Block.js'
import type { Schema } from '../support/Schema.js'
import type { Statement, Value } from './Sql.js'
import type { SwapEvent } from './SwapEvent.js'

/** Tables of the swap index, in SQL that SQLite and Postgres both understand. */
export const schema: Schema = {
  name: 'swap_index',
  migrations: [
    [
      `CREATE TABLE IF NOT EXISTS swap_chains (
        chain BIGINT PRIMARY KEY,
        routers TEXT NOT NULL,
        first_block BIGINT NOT NULL,
        number BIGINT,
        hash TEXT,
        head BIGINT,
        reached_at BIGINT,
        failure TEXT,
        writer TEXT NOT NULL,
        writer_until BIGINT NOT NULL
      )`,
      `CREATE TABLE IF NOT EXISTS swap_blocks (
        chain BIGINT NOT NULL, number BIGINT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (chain, number)
      )`,
      `CREATE TABLE IF NOT EXISTS swap_events (
        chain BIGINT NOT NULL,
        block BIGINT NOT NULL,
        log_index BIGINT NOT NULL,
        event TEXT NOT NULL,
        router TEXT NOT NULL,
        tx TEXT NOT NULL,
        trader TEXT,
        token_in TEXT,
        token_out TEXT,
        data TEXT NOT NULL,
        PRIMARY KEY (chain, block, log_index)
      )`,
      'CREATE INDEX IF NOT EXISTS swap_events_traders ON swap_events (chain, event, trader)',
    ],
  ],
}

export function insertEvents(chainId: number, events: readonly SwapEvent[]): Statement[] {
  const rows = events.map((event): Value[] => [
    chainId,
    event.blockNumber,
    event.logIndex,
    event.name,
    event.router,
    event.transactionHash,
    event.trader,
    event.tokenIn,
    event.tokenOut,
    event.data,
  ])
  return insert('swap_events', rows)
}

export function insertBlocks(chainId: number, blocks: readonly Cursor[]): Statement[] {
  return insert(
    'swap_blocks',
    blocks.map(({ hash, number }): Value[] => [chainId, number, hash]),
  )
}

/** Counts distinct traders on the chains that are up to date. */
export function selectTraders(routers: ReadonlyMap<number, string>, since: number): Statement {
  const entries = [...routers]
  const isServed = entries
    .map((_, index) => `(c.chain = $${2 * index + 2} AND c.routers = $${2 * index + 3})`)
    .join(' OR ')
  return {
    text: `SELECT count(DISTINCT e.trader) AS traders
      FROM swap_chains c JOIN swap_events e ON e.chain = c.chain AND e.event = 'Swap'
      WHERE c.reached_at >= $1 AND (${isServed || 'FALSE'})`,
    values: [since, ...entries.flat()],
  }
}

/** Number of ranges of blocks whose swaps are counted apart: about a day each, the last ending with the last block read. */
export const daysCounted = 30

/** Counts the swaps of a chain in ranges of `blocks` blocks; range 0 ends with the last block read. */
export function selectDays(chainId: number, blocks: number): Statement {
  return {
    text: `SELECT c.chain AS chain, (c.number - e.block) / CAST($1 AS BIGINT) AS ago, count(*) AS fills
      FROM swap_chains c JOIN swap_events e ON e.chain = c.chain AND e.event = 'Swap'
      WHERE c.chain = $2 AND e.block > c.number - CAST($3 AS BIGINT)
      GROUP BY c.chain, ago`,
    values: [blocks, chainId, daysCounted * blocks],
  }
}

/**
 * Maximum number of rows in one statement. Inserts use powers of two, so that few different statements are prepared.
 */
const maxRows = 256

/** Inserts rows; existing ones stay unchanged. */
function insert(table: string, rows: readonly (readonly Value[])[]): Statement[] {
  const statements: Statement[] = []
  for (let first = 0; first < rows.length; ) {
    const left = rows.length - first
    const count = Math.min(maxRows, 2 ** Math.floor(Math.log2(left)))
    const part = rows.slice(first, first + count)
    const width = part[0]!.length
    const places = part.map(
      (row, index) => `(${row.map((_, column) => `$${index * width + column + 1}`).join()})`,
    )
    statements.push({
      text: `INSERT INTO ${table} VALUES ${places.join()} ON CONFLICT DO NOTHING`,
      values: part.flat(),
    })
    first += count
  }
  return statements
}
