import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningPostgres, startPostgres } from '../../test/startPostgres.js'
import { openPostgres } from './openPostgres.js'
import type { Sql, Statement } from './Sql.js'

const schema = ['CREATE TABLE IF NOT EXISTS t (a BIGINT PRIMARY KEY, b TEXT)']
const insert = (a: number, b: string | null): Statement => ({
  text: 'INSERT INTO t VALUES ($1, $2)',
  values: [a, b],
})
const all: Statement = { text: 'SELECT a, b FROM t ORDER BY a', values: [] }

let postgres: RunningPostgres
let url: string
let sql: Sql

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.createDatabase()
  sql = openPostgres(url, schema)
})

afterAll(async () => {
  await sql?.close()
  await postgres?.stop()
})

test('default: all statements or none; integers as numbers', async () => {
  expect(await sql.write([insert(2 ** 40, 'x'), insert(2, null)])).toBe(true)
  await expect(sql.write([insert(3, 'y'), insert(2, 'twice')])).rejects.toThrow()
  const none = { text: 'DELETE FROM t WHERE a = $1', values: [99], mustChange: 1 }
  expect(await sql.write([insert(4, 'z'), none])).toBe(false)
  expect(await sql.read([all])).toEqual([
    [
      { a: 2, b: null },
      { a: 2 ** 40, b: 'x' },
    ],
  ])
})

test('behavior: goes on after its connections were cut', async () => {
  const before = await sql.read([all])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await client.end()
  await expect.poll(() => sql.read([all]).catch(() => undefined)).toEqual(before)
})

test('behavior: many that create the schema at once do not hinder each other', async () => {
  const fresh = await postgres.createDatabase()
  const processes = Array.from({ length: 6 }, () => openPostgres(fresh, schema))
  const answers = await Promise.all(processes.map((each) => each.read([all])))
  expect(answers).toEqual(processes.map(() => [[]]))
  await Promise.all(processes.map((each) => each.close()))
})

test('error: a server that is not there', async () => {
  const gone = openPostgres('postgres://postgres@127.0.0.1:1/none', schema)
  await expect(gone.read([all])).rejects.toThrow()
  await expect(gone.read([all])).rejects.toThrow()
  await gone.close()
})
