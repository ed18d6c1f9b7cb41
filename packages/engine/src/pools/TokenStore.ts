import type Database from 'libsql'
import { type Address, zeroAddress } from 'viem'

/** A token that names an asset, and so may be a vault; addresses in lower case. */
export type Vault = { readonly vault: Address; readonly asset: Address }

/** The tokens of a chain that were asked for their asset, and those that are still to be asked. */
export type TokenStore = {
  /** Adds tokens that no event announced. */
  add: (chainId: number, tokens: readonly Address[]) => void
  /** Tokens that were not asked yet, the newest first: a crowd of tokens only delays those before it. */
  unasked: (chainId: number, limit: number) => readonly Address[]
  /** Those of some tokens that were asked. */
  asked: (chainId: number, tokens: readonly Address[]) => ReadonlySet<Address>
  /**
   * Stores what tokens answered; `undefined` for one without an asset.
   *
   * @param block Number of the block at which they were asked. If it is dropped, they are asked again.
   */
  answer: (
    chainId: number,
    assets: ReadonlyMap<Address, Address | undefined>,
    block: number,
  ) => void
  /** Tokens that name an asset, the oldest first: a crowd of vaults only hides newer ones. */
  vaults: (chainId: number, limit: number) => readonly Vault[]
}

/** Statements that create the table, and fill it with the tokens of stored pools. */
export const tokenTable = `
  CREATE TABLE pool_tokens (
    chain INTEGER NOT NULL, token TEXT NOT NULL, block INTEGER NOT NULL, asked INTEGER, asset TEXT,
    PRIMARY KEY (chain, token)
  ) WITHOUT ROWID;
  CREATE INDEX pool_tokens_asked ON pool_tokens (chain, asked, block);
  CREATE INDEX pool_tokens_asset ON pool_tokens (chain, block) WHERE asset IS NOT NULL;
  INSERT OR IGNORE INTO pool_tokens SELECT chain, token0, block, NULL, NULL FROM indexed_pools;
  INSERT OR IGNORE INTO pool_tokens SELECT chain, token1, block, NULL, NULL FROM indexed_pools;
`

/** The block of tokens that no event announced. No reorganization drops them. */
const noBlock = 0

export function tokenStoreOf(database: Database.Database): TokenStore {
  const insert = insertToken(database)
  const unasked = database.prepare(
    `SELECT token FROM pool_tokens WHERE chain = ? AND asked IS NULL AND token <> '${zeroAddress}'
      ORDER BY block DESC, token DESC LIMIT ?`,
  )
  const isAsked = database.prepare(
    'SELECT 1 FROM pool_tokens WHERE chain = ? AND token = ? AND asked IS NOT NULL',
  )
  const update = database.prepare(
    'UPDATE pool_tokens SET asked = ?, asset = ? WHERE chain = ? AND token = ?',
  )
  const vaults = database.prepare(
    `SELECT token AS vault, asset FROM pool_tokens WHERE chain = ? AND asset IS NOT NULL
      ORDER BY block, token LIMIT ?`,
  )
  const addAll = database.transaction((chainId: number, tokens: readonly Address[]) => {
    for (const token of tokens) insert.run(chainId, token.toLowerCase(), noBlock)
  })
  const answerAll = database.transaction(
    (chainId: number, assets: ReadonlyMap<Address, Address | undefined>, block: number) => {
      for (const [token, asset] of assets) {
        update.run(block, asset ?? null, chainId, token)
        if (asset !== undefined) insert.run(chainId, asset, noBlock)
      }
    },
  )
  return {
    add: (chainId, tokens) => addAll.immediate(chainId, tokens),
    unasked: (chainId, limit) =>
      (unasked.all(chainId, limit) as { token: Address }[]).map(({ token }) => token),
    asked: (chainId, tokens) =>
      new Set(tokens.filter((token) => isAsked.get(chainId, token) !== undefined)),
    answer: (chainId, assets, block) => answerAll.immediate(chainId, assets, block),
    vaults: (chainId, limit) =>
      (vaults.all(chainId, limit) as Vault[]).map(({ asset, vault }) => ({ vault, asset })),
  }
}

/** Adds a token with the block of its first pool. A known one stays as it is. */
export function insertToken(database: Database.Database): Database.Statement {
  return database.prepare('INSERT OR IGNORE INTO pool_tokens VALUES (?, ?, ?, NULL, NULL)')
}

/** Forgets the tokens of dropped blocks, and what tokens answered in them. */
export function rewindTokens(database: Database.Database, chainId: number): (to: number) => void {
  const forget = database.prepare('DELETE FROM pool_tokens WHERE chain = ? AND block > ?')
  const askAgain = database.prepare(
    'UPDATE pool_tokens SET asked = NULL, asset = NULL WHERE chain = ? AND asked > ?',
  )
  return (to) => {
    forget.run(chainId, to)
    askAgain.run(chainId, to)
  }
}
