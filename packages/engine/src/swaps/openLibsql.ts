import Database from 'libsql'
import { migrateLibsql } from '../support/migrateLibsql.js'
import type { Schema } from '../support/Schema.js'
import { type Row, type Sql, UnchangedError } from './Sql.js'

/** How long a writer waits for another process that writes, in milliseconds. */
const busyMs = 5_000

/** @param path Path of the database file; `:memory:` keeps it in memory. */
export function openLibsql(path: string, schema: Schema): Sql {
  const database = new Database(path, { timeout: busyMs })
  // A power failure can lose the last complete transactions. The index reads them from the chain again.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  try {
    migrateLibsql(database, schema)
  } catch (error) {
    database.close()
    throw error
  }
  const prepared = new Map<string, Database.Statement>()

  function prepare(text: string): Database.Statement {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const made = database.prepare(text)
    prepared.set(text, made)
    return made
  }

  return {
    read: async (statements) =>
      inTransaction(database, 'DEFERRED', () =>
        statements.map(({ text, values }) => prepare(text).all([...values]) as Row[]),
      ),
    async write(statements) {
      try {
        inTransaction(database, 'IMMEDIATE', () => {
          for (const { mustChange, text, values } of statements) {
            const { changes } = prepare(text).run([...values])
            if (mustChange !== undefined && changes !== mustChange) throw new UnchangedError()
          }
        })
        return true
      } catch (error) {
        if (error instanceof UnchangedError) return false
        throw error
      }
    },
    close: async () => void database.close(),
  }
}

function inTransaction<result>(
  database: Database.Database,
  mode: 'DEFERRED' | 'IMMEDIATE',
  work: () => result,
): result {
  database.exec(`BEGIN ${mode}`)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
