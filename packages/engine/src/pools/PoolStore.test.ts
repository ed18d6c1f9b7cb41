import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openPoolStore } from './PoolStore.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-pools-'))

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Another process that writes the same file, for a while. */
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
    await first.logs(8_453).append(undefined, { logs: [], blocks: [block] })
    // One that starts meanwhile finds the file, and what the others wrote.
    const second = openPoolStore(path)
    expect(await second.logs(8_453).cursor()).toEqual(block)
    expect(await ended).toEqual([0, null])
    for (const store of [first, second]) store.close()
  })
})
