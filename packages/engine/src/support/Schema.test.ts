import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningPostgres, startPostgres } from '../../test/startPostgres.js'
import { openLibsql } from '../swaps/openLibsql.js'
import { openPostgres } from '../swaps/openPostgres.js'
import type { Sql } from '../swaps/Sql.js'
import type { Schema } from './Schema.js'

const create = 'CREATE TABLE IF NOT EXISTS t (a BIGINT PRIMARY KEY)'
const first: Schema = { name: 'test', migrations: [[create]] }
const second: Schema = {
  name: 'test',
  migrations: [[create], ['ALTER TABLE t ADD COLUMN b BIGINT', 'UPDATE t SET b = a + 1']],
}
/** Tables of a program without schema version. */
const unversioned: Schema = { name: 'elsewhere', migrations: [[create]] }

const folder = mkdtempSync(join(tmpdir(), 'sluice-schema-'))
let postgres: RunningPostgres
let files = 0

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true })
})

type Open = (schema: Schema) => Sql

async function freshLibsql(): Promise<Open> {
  const path = join(folder, `${files++}.db`)
  return (schema) => openLibsql(path, schema)
}

async function freshPostgres(): Promise<Open> {
  const url = await postgres.createDatabase()
  return (schema) => openPostgres(url, schema)
}

/** Opens a database, runs statements, reads the table and closes it again. */
async function use(open: Open, schema: Schema, ...texts: string[]) {
  const sql = open(schema)
  try {
    await sql.write(texts.map((text) => ({ text, values: [] })))
    const read = 'SELECT * FROM t ORDER BY a'
    const version = `SELECT version FROM schema_versions WHERE name = '${schema.name}'`
    const [rows, versions] = await sql.read([read, version].map((text) => ({ text, values: [] })))
    return { rows: rows!.map((row) => ({ ...row })), version: versions![0]?.['version'] }
  } finally {
    await sql.close()
  }
}

describe.each([
  ['libsql', freshLibsql],
  ['Postgres', freshPostgres],
])('migrations on %s', (_, fresh) => {
  test('default: a fresh database gets every migration', async () => {
    const open = await fresh()
    expect(await use(open, second, 'INSERT INTO t VALUES (1, 5)')).toEqual({
      rows: [expect.objectContaining({ a: 1, b: 5 })],
      version: 2,
    })
  })

  test('behavior: an older database keeps its rows and gets the missing migrations once', async () => {
    const open = await fresh()
    expect((await use(open, first, 'INSERT INTO t VALUES (1)')).version).toBe(1)
    const migrated = await use(open, second)
    expect(migrated).toEqual({ rows: [expect.objectContaining({ a: 1, b: 2 })], version: 2 })
    await use(open, second, 'UPDATE t SET b = 9')
    expect((await use(open, second)).rows).toEqual([expect.objectContaining({ a: 1, b: 9 })])
  })

  test('behavior: tables without a version count as version 0', async () => {
    const open = await fresh()
    await use(open, unversioned, 'INSERT INTO t VALUES (7)')
    expect(await use(open, second)).toEqual({
      rows: [expect.objectContaining({ a: 7, b: 8 })],
      version: 2,
    })
  })

  test('error: refuses a newer database and does not change it', async () => {
    const open = await fresh()
    await use(open, second, 'INSERT INTO t VALUES (1, 2)')
    await expect(use(open, first)).rejects.toMatchObject({
      code: 'newer_schema',
      message: [
        'The database has version 2 of the schema "test"; this program supports up to 1.',
        'Run the newer program, or use another database: the index is rebuilt.',
      ].join('\n'),
    })
    expect(await use(open, second)).toMatchObject({ rows: [{ a: 1, b: 2 }], version: 2 })
  })

  test('error: a migration that fails changes nothing', async () => {
    const open = await fresh()
    await use(open, first, 'INSERT INTO t VALUES (1)')
    const broken = { ...first, migrations: [[create], ['UPDATE t SET a = 5', 'NONSENSE']] }
    await expect(use(open, broken)).rejects.toThrow()
    expect(await use(open, first)).toEqual({
      rows: [expect.objectContaining({ a: 1 })],
      version: 1,
    })
  })

  test('behavior: processes can migrate at the same time', async () => {
    const open = await fresh()
    await use(open, first, 'INSERT INTO t VALUES (1)')
    const results = await Promise.all(Array.from({ length: 4 }, () => use(open, second)))
    for (const result of results)
      expect(result).toEqual({ rows: [expect.objectContaining({ a: 1, b: 2 })], version: 2 })
  })
})
