import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, test } from 'vitest'
import { NewerSchemaError } from '../support/Schema.js'
import { openPoolStore } from './PoolStore.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-pools-'))

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Another process that writes the same file for a while. */
const writer = `
  import Database from 'libsql'
  const database = new Database(process.argv[1], { timeout: 5000 })
  database.exec('BEGIN IMMEDIATE; DELETE FROM indexed_pools')
  process.stdout.write('writing')
  setTimeout(() => database.exec('COMMIT'), 400)
`

describe('openPoolStore', () => {
  test('behavior: processes that share a file wait for each other', async () => {
    const path = join(folder, 'pools.db')
    const first = openPoolStore(path)
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer, path], {
      cwd: import.meta.dirname,
    })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const block = { number: 7, hash: `0x${'7'.repeat(64)}` } as const
    await first.logs(8_453, []).append(undefined, { logs: [], blocks: [block] })
    // A store opened meanwhile finds the file and what the others wrote.
    const second = openPoolStore(path)
    expect(await second.logs(8_453, []).cursor()).toEqual(block)
    expect(await ended).toEqual([0, null])
    for (const store of [first, second]) store.close()
  })

  test('behavior: keeps pools of a program without hints and reads its blocks again; drops those of the earlier format', async () => {
    const path = join(folder, 'unversioned.db')
    openPoolStore(path).close()
    const block = { number: 7, hash: `0x${'7'.repeat(64)}` } as const
    const database = new Database(path)
    database.exec(
      'DROP TABLE schema_versions; DROP TABLE hinted_pools; DROP TABLE followed_factories; DROP TABLE pool_tokens; CREATE TABLE pools (a INTEGER)',
    )
    database.exec("INSERT INTO indexed_pools VALUES (1, '0x01', '0x02', '0x03', 7, '0x04', 0, 0)")
    database.prepare('INSERT INTO indexed_blocks VALUES (1, ?, ?)').run(block.number, block.hash)
    database.close()
    const store = openPoolStore(path)
    expect(store.count(1)).toBe(1)
    expect(await store.logs(1, []).cursor()).toBeUndefined()
    store.close()
    const after = new Database(path)
    expect(after.prepare("SELECT 1 FROM sqlite_master WHERE name = 'pools'").get()).toBeUndefined()
    after.close()
  })

  test.each([
    { version: 4, told: 'none with hooks', shape: 4 },
    { version: 5, told: 'no custom curves', shape: 5 },
  ])(
    'behavior: pools of Uniswap V4 of a program that told $told apart are read again',
    async ({ shape, version }) => {
      const path = join(folder, `untold${version}.db`)
      openPoolStore(path).close()
      const database = new Database(path)
      database
        .prepare("UPDATE schema_versions SET version = ? WHERE name = 'pool_index'")
        .run(version)
      for (const [pool, each] of [
        ['0x01', 0],
        ['0x02', shape],
        ['0x03', 6],
      ] as const)
        database
          .prepare("INSERT INTO indexed_pools VALUES (1, ?, '0x02', '0x03', 7, '0x04', ?, 0)")
          .run(pool, each)
      database.exec("INSERT INTO indexed_blocks VALUES (1, 7, '0x07')")
      database.close()
      const store = openPoolStore(path)
      expect(store.page(1, undefined, 10).map(({ pool }) => pool)).toEqual(['0x01', '0x03'])
      expect(await store.logs(1, []).cursor()).toBeUndefined()
      store.close()
    },
  )

  test('behavior: what was read without a contract is not stored once another process follows it', async () => {
    const path = join(folder, 'followed.db')
    const [first, second] = [openPoolStore(path), openPoolStore(path)]
    const block = { number: 7, hash: `0x${'7'.repeat(64)}` } as const
    const early = first.logs(1, first.follow(1, ['0xAA']))
    await early.append(undefined, { logs: [], blocks: [block] })
    expect(second.follow(1, ['0xaa'])).toEqual(['0xaa'])
    expect(await early.cursor()).toEqual(block)

    expect(second.follow(1, ['0xbb'])).toEqual(['0xaa', '0xbb'])
    expect(await early.cursor()).toBeUndefined()
    await expect(early.append(block, { logs: [], blocks: [block] })).rejects.toThrow(
      'Another process follows more venues by now.',
    )
    expect(first.follow(1, ['0xaa'])).toEqual(['0xaa', '0xbb'])
    for (const store of [first, second]) store.close()
  })

  test('error: refuses the database of a newer program', () => {
    const path = join(folder, 'newer.db')
    openPoolStore(path).close()
    const database = new Database(path)
    database.exec("UPDATE schema_versions SET version = 99 WHERE name = 'pool_index'")
    database.close()
    expect(() => openPoolStore(path)).toThrow(NewerSchemaError)
  })
})
