import { BaseError } from '@sluice/domain'
import pg from 'pg'
import { pendingOf, type Schema, versions } from '../support/Schema.js'
import { type Row, type Sql, UnchangedError } from './Sql.js'

const maxConnections = 4
const connectMs = 5_000
const statementMs = 15_000
/**
 * Client-side timeout of a statement, in milliseconds. Longer than the server's, so it only matters if the server falls
 * silent.
 */
const silenceMs = 20_000
/** Idle connections are closed before a firewall silently drops them; milliseconds. */
const idleMs = 30_000
const keepAliveMs = 10_000

/**
 * Opens a Postgres database. Every wait has a timeout: a server that accepts connections and then falls silent fails
 * like an unreachable one.
 *
 * @param url Secret, since it may contain a password.
 * @param options.silenceMs Client-side timeout of a statement. @default 20,000
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
  // A broken connection is replaced when the next one is needed. The pool emits errors of idle connections, and a
  // client emits its own between two queries. Without listeners, either would end the process.
  const ignore = () => {}
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  let ready: Promise<void> | undefined

  /** Runs work in a transaction on its own connection, after the schema was migrated. */
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

/** Returns BIGINT values as numbers, which hold counts and block numbers exactly. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

/** Lets only one process migrate at a time: two that create the same table fail, even with `IF NOT EXISTS`. */
const schemaLock = 'SELECT pg_advisory_xact_lock(5911204101)'

/** Runs the pending migrations in one transaction. */
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
    // Discard a connection that is silent or cannot roll back.
    client.release(fault)
  }
}

/** Whether the server or our own code raised the error, so the connection still works. */
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
