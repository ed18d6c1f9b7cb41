import { BaseError } from '@sluice/domain'
import pg from 'pg'
import { pendingOf, type Schema, versions } from '../support/Schema.js'
import { type Row, type Sql, UnchangedError } from './Sql.js'

const maxConnections = 4
const connectMs = 5_000
const statementMs = 15_000
/** The server gives a statement up first; if it is not heard of any more, this end does. */
const silenceMs = 20_000
/** An unused connection is closed before a firewall on the way forgets it. */
const idleMs = 30_000
const keepAliveMs = 10_000

/**
 * No wait is without an end: a server that accepts connections and says nothing, or falls silent on one, fails like one
 * that is not there.
 *
 * @param url Secret, since it may hold a password.
 * @param options.silenceMs How long an answer is waited for. @default 20,000
 */
export function openPostgres(
  url: string,
  schema: Schema,
  options: { silenceMs?: number } = {},
): Sql {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: options.silenceMs ?? silenceMs,
    idle_in_transaction_session_timeout: statementMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser },
  })
  // A connection that breaks is replaced when the next one is needed. The pool reports those that are idle, and a client
  // that is in use between two queries reports itself: without a listener, either would end the process.
  const ignore = () => {}
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  let ready: Promise<void> | undefined

  /** Runs work in a transaction on a connection of its own; the schema is there by then. */
  async function inTransaction<result>(
    mode: string,
    work: (client: pg.PoolClient) => Promise<result>,
  ): Promise<result> {
    ready ??= migrate(pool, schema)
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

/** Lets one process at a time change tables: two that create the same table fail, even with `IF NOT EXISTS`. */
const schemaLock = 'SELECT pg_advisory_xact_lock(5911204101)'

/** Brings the tables up to date, in one transaction. */
function migrate(pool: pg.Pool, schema: Schema): Promise<void> {
  return within(pool, '', async (client) => {
    await client.query(schemaLock)
    await client.query(versions.create)
    const { rows } = await client.query(versions.read, [schema.name])
    const pending = pendingOf(schema, rows[0]?.version ?? 0)
    for (const text of pending) await client.query(text)
    if (pending.length > 0)
      await client.query(versions.write, [schema.name, schema.migrations.length])
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
    fault = isSaid(error) ? await rollBack(client) : (error as Error)
    throw error
  } finally {
    // A connection that is silent, or cannot even roll back, is thrown away.
    client.release(fault)
  }
}

/** Whether the server or we ourselves said so: the connection works. */
function isSaid(error: unknown): boolean {
  return error instanceof pg.DatabaseError || error instanceof BaseError
}

async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (cause) {
    return cause as Error
  }
}
