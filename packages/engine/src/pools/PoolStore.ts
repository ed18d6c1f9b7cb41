import Database from 'libsql'
import type { Address, Hex } from 'viem'
import type { Cursor } from '../logs/Block.js'
import type { LogStore } from '../logs/followLogs.js'
import type { Log } from '../logs/Log.js'
import { LogsError } from '../logs/LogsError.js'
import { checkpointEvery, keptBlocks } from '../logs/retention.js'
import { migrateLibsql } from '../support/migrateLibsql.js'
import type { Schema } from '../support/Schema.js'
import { type HintedPool, hintedPoolOf, hintedShapes } from './hintedEvents.js'
import { type IndexedPool, poolOf, poolShapes } from './poolEvents.js'
import {
  insertToken,
  rewindTokens,
  type TokenStore,
  tokenStoreOf,
  tokenTable,
} from './TokenStore.js'

/** Store of known pools, by chain. Survives restarts. */
export type PoolStore = {
  /**
   * Adds contracts whose pools are stored. If one is new, forgets which blocks were read: its pools can be in any of them.
   * Known pools stay.
   *
   * @returns All followed contracts of the chain, in lower case. The reader must ask for the logs of each.
   */
  follow: (chainId: number, factories: readonly Address[]) => readonly Address[]
  /**
   * Stores a chain's pool creation events. A known pool is not changed.
   *
   * @param followed What `follow` returned. If another process follows more by now, nothing is written.
   */
  logs: (chainId: number, followed: readonly Address[]) => LogStore
  /** Tokens that share a pool with `token`, in descending order of their number of pools. */
  neighbors: (chainId: number, token: Address, limit: number) => readonly Address[]
  /** Pages through the pools in the order of their addresses, starting after `after`. */
  page: (chainId: number, after: Hex | undefined, limit: number) => readonly IndexedPool[]
  /** Number of known pools. */
  count: (chainId: number) => number
  /** Pools that their registry does not list by pair, the oldest first. */
  hinted: (chainId: number) => readonly HintedPool[]
  /** Number of all pools by the contract that announced them, in lower case. */
  countByFactory: (chainId: number) => ReadonlyMap<Address, number>
  /** Tokens of pools, and others, with the asset that they name. */
  tokens: TokenStore
  close: () => void
}

/**
 * Version 1 drops tables of earlier programs, which stored less about a pool. Version 2 adds pools that are found only as
 * hints, and reads all blocks again to find them. Version 3 remembers whose pools were read, and reads once more. Version 4 adds
 * the tokens of pools, to ask which of them are vaults. Version 5 forgets the pools of Uniswap V4 and reads them again, to tell
 * those with hooks from the others. Version 6 forgets those with hooks and reads them again, to tell those whose hooks may set the
 * curve.
 */
const schema: Schema = {
  name: 'pool_index',
  migrations: [
    [
      `
        DROP TABLE IF EXISTS pool_blocks;
        DROP TABLE IF EXISTS pools;
        CREATE TABLE IF NOT EXISTS indexed_blocks (
          chain INTEGER NOT NULL, number INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (chain, number)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS indexed_pools (
          chain INTEGER NOT NULL, pool TEXT NOT NULL, token0 TEXT NOT NULL, token1 TEXT NOT NULL, block INTEGER NOT NULL,
          factory TEXT NOT NULL, shape INTEGER NOT NULL, fee INTEGER NOT NULL, PRIMARY KEY (chain, pool)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS indexed_pools_token0 ON indexed_pools (chain, token0);
        CREATE INDEX IF NOT EXISTS indexed_pools_token1 ON indexed_pools (chain, token1);
        CREATE INDEX IF NOT EXISTS indexed_pools_block ON indexed_pools (chain, block);
      `,
    ],
    [
      `
        CREATE TABLE hinted_pools (
          chain INTEGER NOT NULL, pool TEXT NOT NULL, registry TEXT NOT NULL, shape INTEGER NOT NULL, block INTEGER NOT NULL,
          PRIMARY KEY (chain, pool, registry)
        ) WITHOUT ROWID;
        CREATE INDEX hinted_pools_block ON hinted_pools (chain, block);
        DELETE FROM indexed_blocks;
      `,
    ],
    [
      `
        CREATE TABLE followed_factories (
          chain INTEGER NOT NULL, factory TEXT NOT NULL, PRIMARY KEY (chain, factory)
        ) WITHOUT ROWID;
        DELETE FROM indexed_blocks;
      `,
    ],
    [tokenTable],
    ['DELETE FROM indexed_pools WHERE shape = 4; DELETE FROM indexed_blocks;'],
    ['DELETE FROM indexed_pools WHERE shape = 5; DELETE FROM indexed_blocks;'],
  ],
}

const neighborsQuery = `
  WITH near AS (
    SELECT token1 AS token FROM indexed_pools WHERE chain = ?1 AND token0 = ?2
    UNION SELECT token0 FROM indexed_pools WHERE chain = ?1 AND token1 = ?2
  )
  SELECT token, (
    SELECT count(*) FROM (SELECT 1 FROM indexed_pools WHERE chain = ?1 AND token0 = token LIMIT 1000)
  ) + (
    SELECT count(*) FROM (SELECT 1 FROM indexed_pools WHERE chain = ?1 AND token1 = token LIMIT 1000)
  ) AS degree
  FROM near ORDER BY degree DESC, token LIMIT ?3
`

const pageQuery = `
  SELECT pool, token0, token1, block AS blockNumber, factory, shape, fee AS feePips FROM indexed_pools
  WHERE chain = ? AND pool > ? ORDER BY pool LIMIT ?
`

/** How long a process waits for another one that writes the same file, in milliseconds. */
const busyMs = 5_000

/** @param path Path of the database file, which several processes may share; `:memory:` keeps it in memory. */
export function openPoolStore(path: string): PoolStore {
  const database = new Database(path, { timeout: busyMs })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  try {
    migrateLibsql(database, schema)
  } catch (error) {
    database.close()
    throw error
  }
  const near = database.prepare(neighborsQuery)
  const page = database.prepare(pageQuery)
  const total = database.prepare('SELECT count(*) AS total FROM indexed_pools WHERE chain = ?')

  const byFactory = database.prepare(
    `SELECT factory, count(*) AS total FROM indexed_pools WHERE chain = ?1 GROUP BY factory
      UNION ALL SELECT registry, count(*) FROM hinted_pools WHERE chain = ?1 GROUP BY registry`,
  )
  const hinted = database.prepare(
    'SELECT pool, registry, shape, block AS blockNumber FROM hinted_pools WHERE chain = ? ORDER BY block, pool',
  )

  return {
    follow: followIn(database),
    logs: (chainId, followed) => logStoreOf(database, chainId, followed),
    neighbors(chainId, token, limit) {
      const rows = near.all(chainId, token.toLowerCase(), limit) as { token: Address }[]
      return rows.map((row) => row.token)
    },
    page(chainId, after, limit) {
      const rows = page.all(chainId, after ?? '', limit) as PoolRow[]
      return rows.map(({ blockNumber, factory, feePips, pool, shape, token0, token1 }) => {
        const named = { shape: poolShapes[shape]!, feePips }
        return { pool, token0, token1, blockNumber, factory, ...named }
      })
    },
    count: (chainId) => (total.get(chainId) as { total: number }).total,
    hinted(chainId) {
      const rows = hinted.all(chainId) as (Omit<HintedPool, 'shape'> & { shape: number })[]
      return rows.map(({ blockNumber, pool, registry, shape }) => {
        return { pool, registry, shape: hintedShapes[shape]!, blockNumber }
      })
    },
    countByFactory(chainId) {
      const rows = byFactory.all(chainId) as { factory: Address; total: number }[]
      return new Map(rows.map((row) => [row.factory, row.total]))
    },
    tokens: tokenStoreOf(database),
    close: () => database.close(),
  }
}

function followIn(database: Database.Database): PoolStore['follow'] {
  const add = database.prepare('INSERT OR IGNORE INTO followed_factories VALUES (?, ?)')
  const forget = database.prepare('DELETE FROM indexed_blocks WHERE chain = ?')
  const read = database.prepare('SELECT factory FROM followed_factories WHERE chain = ?')
  const listOf = (chainId: number) =>
    (read.all(chainId) as { factory: Address }[]).map(({ factory }) => factory)
  const addAll = database.transaction((chainId: number, factories: readonly Address[]) => {
    for (const factory of factories) add.run(chainId, factory)
    forget.run(chainId)
  })
  return (chainId, factories) => {
    const wanted = factories.map((factory) => factory.toLowerCase() as Address)
    const known = new Set(listOf(chainId))
    if (!wanted.every((factory) => known.has(factory))) addAll.immediate(chainId, wanted)
    return listOf(chainId)
  }
}

/** Tells whether a chain's followed contracts are still these. They only become more. */
function isFollowed(
  database: Database.Database,
  chainId: number,
  followed: readonly Address[],
): () => boolean {
  const count = database.prepare('SELECT count(*) AS total FROM followed_factories WHERE chain = ?')
  return () => (count.get(chainId) as { total: number }).total === followed.length
}

type PoolRow = Omit<IndexedPool, 'shape'> & { shape: number }

/**
 * Ignores the `after` argument: processes that share a file read the same chain, and existing rows stay. A pool that
 * remains from an abandoned branch only causes a useless hint.
 */
function logStoreOf(
  database: Database.Database,
  chainId: number,
  followed: readonly Address[],
): LogStore {
  const isAll = isFollowed(database, chainId, followed)
  const insertPool = database.prepare(
    'INSERT OR IGNORE INTO indexed_pools VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertHinted = database.prepare('INSERT OR IGNORE INTO hinted_pools VALUES (?, ?, ?, ?, ?)')
  const addToken = insertToken(database)
  const insertBlock = database.prepare('INSERT OR IGNORE INTO indexed_blocks VALUES (?, ?, ?)')
  const prune = database.prepare(
    `DELETE FROM indexed_blocks WHERE chain = ?1 AND number < ?2 AND number % ${checkpointEvery} <> 0
      AND number <> (SELECT min(number) FROM indexed_blocks WHERE chain = ?1)`,
  )
  const forgetPools = database.prepare('DELETE FROM indexed_pools WHERE chain = ? AND block > ?')
  const forgetHinted = database.prepare('DELETE FROM hinted_pools WHERE chain = ? AND block > ?')
  const forgetBlocks = database.prepare('DELETE FROM indexed_blocks WHERE chain = ? AND number > ?')
  const readBlocks = database.prepare(
    'SELECT number, hash FROM indexed_blocks WHERE chain = ? ORDER BY number',
  )
  const append = database.transaction((logs: readonly Log[], blocks: readonly Cursor[]) => {
    if (!isAll()) throw new LogsError('moved', 'Another process follows more venues by now.')
    for (const found of logs.flatMap((log) => poolOf(log) ?? [])) {
      const { blockNumber, factory, feePips, pool, token0, token1 } = found
      const shape = poolShapes.indexOf(found.shape)
      insertPool.run(chainId, pool, token0, token1, blockNumber, factory, shape, feePips)
      for (const token of [token0, token1]) addToken.run(chainId, token, blockNumber)
    }
    for (const { blockNumber, pool, registry, shape } of logs.flatMap(
      (log) => hintedPoolOf(log) ?? [],
    ))
      insertHinted.run(chainId, pool, registry, hintedShapes.indexOf(shape), blockNumber)
    for (const { hash, number } of blocks) insertBlock.run(chainId, number, hash)
    prune.run(chainId, blocks.at(-1)!.number - keptBlocks)
  })
  const forgetTokens = rewindTokens(database, chainId)
  const rewind = database.transaction((to: number) => {
    forgetTokens(to)
    forgetPools.run(chainId, to)
    forgetHinted.run(chainId, to)
    forgetBlocks.run(chainId, to)
  })
  // The driver adds a property of its own to rows.
  const kept = () =>
    (readBlocks.all(chainId) as Cursor[]).map(({ hash, number }) => ({ number, hash }))
  return {
    cursor: async () => kept().at(-1),
    kept: async () => kept(),
    append: async (_, { blocks, logs }) => append.immediate(logs, blocks),
    rewind: async (_, to) => rewind(to?.number ?? -1),
  }
}
