import Database from 'libsql'
import type { Address, Hex } from 'viem'

/** A pool as its factory announced it; addresses in lower case. */
export type IndexedPool = {
  readonly pool: Address
  readonly token0: Address
  readonly token1: Address
  readonly blockNumber: number
}

/** The last block that was read, by its hash, so that a reorganisation shows. */
export type Cursor = { readonly number: number; readonly hash: Hex }

/** Which pools exist, by chain, kept across restarts. */
export type PoolStore = {
  cursor: (chainId: number) => Cursor | undefined
  /** Adds pools and moves the cursor, both or neither. A pool that is known already is left as it is. */
  append: (chainId: number, pools: readonly IndexedPool[], cursor: Cursor) => void
  /** Forgets pools created after a block, and moves the cursor there. */
  rewind: (chainId: number, cursor: Cursor) => void
  /** Forgets a whole chain. */
  clear: (chainId: number) => void
  /** Tokens that share a pool with `token`, those with most pools in all first. */
  neighbours: (chainId: number, token: Address, limit: number) => readonly Address[]
  /** How many pools are known. */
  count: (chainId: number) => number
  close: () => void
}

const schema = `
  CREATE TABLE IF NOT EXISTS pool_cursors (
    chain INTEGER PRIMARY KEY, number INTEGER NOT NULL, hash TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS pools (
    chain INTEGER NOT NULL, pool TEXT NOT NULL, token0 TEXT NOT NULL, token1 TEXT NOT NULL, block INTEGER NOT NULL,
    PRIMARY KEY (chain, pool)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS pools_token0 ON pools (chain, token0);
  CREATE INDEX IF NOT EXISTS pools_token1 ON pools (chain, token1);
  CREATE INDEX IF NOT EXISTS pools_block ON pools (chain, block);
`

const neighboursQuery = `
  WITH near AS (
    SELECT token1 AS token FROM pools WHERE chain = ?1 AND token0 = ?2
    UNION SELECT token0 FROM pools WHERE chain = ?1 AND token1 = ?2
  )
  SELECT token, (
    SELECT count(*) FROM (SELECT 1 FROM pools WHERE chain = ?1 AND token0 = token LIMIT 1000)
  ) + (
    SELECT count(*) FROM (SELECT 1 FROM pools WHERE chain = ?1 AND token1 = token LIMIT 1000)
  ) AS degree
  FROM near ORDER BY degree DESC, token LIMIT ?3
`

/** @param path Of the database file; `:memory:` keeps it in memory alone. */
export function openPoolStore(path: string): PoolStore {
  const database = new Database(path)
  database.exec(schema)
  const readCursor = database.prepare('SELECT number, hash FROM pool_cursors WHERE chain = ?')
  const writeCursor = database.prepare('INSERT OR REPLACE INTO pool_cursors VALUES (?, ?, ?)')
  const insert = database.prepare('INSERT OR IGNORE INTO pools VALUES (?, ?, ?, ?, ?)')
  const deleteAfter = database.prepare('DELETE FROM pools WHERE chain = ? AND block > ?')
  const deleteCursor = database.prepare('DELETE FROM pool_cursors WHERE chain = ?')
  const near = database.prepare(neighboursQuery)
  const total = database.prepare('SELECT count(*) AS total FROM pools WHERE chain = ?')

  return {
    cursor(chainId) {
      // The driver adds a member of its own to rows.
      const row = readCursor.get(chainId) as Cursor | undefined
      return row && { number: row.number, hash: row.hash }
    },
    append: database.transaction(
      (chainId: number, pools: readonly IndexedPool[], { number, hash }: Cursor) => {
        for (const { pool, token0, token1, blockNumber } of pools)
          insert.run(chainId, pool, token0, token1, blockNumber)
        writeCursor.run(chainId, number, hash)
      },
    ),
    rewind: database.transaction((chainId: number, { number, hash }: Cursor) => {
      deleteAfter.run(chainId, number)
      writeCursor.run(chainId, number, hash)
    }),
    clear: database.transaction((chainId: number) => {
      deleteAfter.run(chainId, -1)
      deleteCursor.run(chainId)
    }),
    neighbours(chainId, token, limit) {
      const rows = near.all(chainId, token.toLowerCase(), limit) as { token: Address }[]
      return rows.map((row) => row.token)
    },
    count: (chainId) => (total.get(chainId) as { total: number }).total,
    close: () => database.close(),
  }
}
