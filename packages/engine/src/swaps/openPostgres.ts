import pg from 'pg'
import { type Row, type Sql, UnchangedError } from './Sql.js'

const mostConnections = 4
const connectMs = 5_000
const statementMs = 30_000

/**
 * @param url Secret, since it may hold a password.
 */
export function openPostgres(url: string, schema: readonly string[]): Sql {
  const pool = new pg.Pool({
    connectionString: url,
    max: mostConnections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    types: { getTypeParser },
  })
  // A connection that breaks while nobody uses it is made anew when it is needed.
  pool.on('error', () => {})
  let ready: Promise<void> | undefined

  /** Runs work in a transaction on a connection of its own; the schema is there by then. */
  async function inTransaction<result>(
    mode: string,
    work: (client: pg.PoolClient) => Promise<result>,
  ): Promise<result> {
    ready ??= createSchema(pool, schema)
    await ready.catch((error) => {
      ready = undefined
      throw error
    })
    return await within(pool, mode, work)
  }

  return {
    read: (statements) =>
      inTransaction('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
        const results: Row[][] = []
        for (const { text, values } of statements)
          results.push((await client.query(text, [...values])).rows as Row[])
        return results
      }),
    async write(statements) {
      try {
        await inTransaction('', async (client) => {
          for (const { mustChange, text, values } of statements) {
            const { rowCount } = await client.query(text, [...values])
            if (mustChange !== undefined && rowCount !== mustChange) throw new UnchangedError()
          }
        })
        return true
      } catch (error) {
        if (error instanceof UnchangedError) return false
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** Counts and block numbers come as numbers, which hold them exactly. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

/** One process at a time: two that create the same table at once hinder each other, whatever `IF NOT EXISTS` says. */
const schemaLock = 'SELECT pg_advisory_xact_lock(5911204101)'

function createSchema(pool: pg.Pool, schema: readonly string[]): Promise<void> {
  return within(pool, '', async (client) => {
    for (const text of [schemaLock, ...schema]) await client.query(text)
  })
}

async function within<result>(
  pool: pg.Pool,
  mode: string,
  work: (client: pg.PoolClient) => Promise<result>,
): Promise<result> {
  const client = await pool.connect()
  let fault: Error | undefined
  try {
    await client.query(`BEGIN ${mode}`)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      fault = cause
    })
    throw error
  } finally {
    // A connection that cannot even roll back is thrown away.
    client.release(fault)
  }
}
