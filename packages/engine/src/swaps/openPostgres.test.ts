import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RunningPostgres, startPostgres } from '../../test/startPostgres.js'
import { openPostgres } from './openPostgres.js'
import type { Sql, Statement } from './Sql.js'

const schema = {
  name: 'test',
  migrations: [['CREATE TABLE IF NOT EXISTS t (a BIGINT PRIMARY KEY, b TEXT)']],
}
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

test('behavior: works again after its connections were cut', async () => {
  const before = await sql.read([all])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await client.end()
  await expect.poll(() => sql.read([all]).catch(() => undefined)).toEqual(before)
})

test('behavior: several processes can create the schema at the same time', async () => {
  const fresh = await postgres.createDatabase()
  const processes = Array.from({ length: 6 }, () => openPostgres(fresh, schema))
  const answers = await Promise.all(processes.map((each) => each.read([all])))
  expect(answers).toEqual(processes.map(() => [[]]))
  await Promise.all(processes.map((each) => each.close()))
})

/** A proxy to the server. When frozen, it keeps and accepts connections but forwards nothing. */
async function startFreezer() {
  const { hostname, port } = new URL(url)
  const freezer = { isFrozen: false, port: 0 }
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const server = connect(Number(port), hostname)
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (bytes) => freezer.isFrozen || to.write(bytes))
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  freezer.port = (proxy.address() as AddressInfo).port
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return freezer
}

test('behavior: times out if the server falls silent, and works again when it answers', async () => {
  const freezer = await startFreezer()
  const silent = openPostgres(url.replace(/:\d+\//, `:${freezer.port}/`), schema, {
    silenceMs: 300,
  })
  const before = await silent.read([all])
  freezer.isFrozen = true
  await expect(silent.read([all])).rejects.toThrow('timeout')
  await expect(silent.write([insert(77, 'x')])).rejects.toThrow('timeout')
  freezer.isFrozen = false
  expect(await silent.read([all])).toEqual(before)
  await silent.close()
})

test('error: an unreachable server', async () => {
  const gone = openPostgres('postgres://postgres@127.0.0.1:1/none', schema)
  await expect(gone.read([all])).rejects.toThrow()
  await expect(gone.read([all])).rejects.toThrow()
  await gone.close()
})
