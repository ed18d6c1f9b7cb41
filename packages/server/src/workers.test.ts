import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deployments } from '../../domain/test/deployments.js'
import { type FakeNode, startFakeNode } from '../../engine/test/fakeNode.js'
import { ask, quotePath } from '../test/harness.js'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
/** Every program compiles its code at the start, which takes long on a busy machine. A test starts up to four. */
const patience = { timeout: 60_000 }
vi.setConfig({ testTimeout: 4 * patience.timeout })

let node: FakeNode
let folder: string
let child: ChildProcess | undefined

beforeEach(async () => {
  node = await startFakeNode({ chainId: 8_453n })
  folder = mkdtempSync(join(tmpdir(), 'sluice-workers-'))
})

afterEach(async () => {
  // Workers end with their parent, so no process remains however the test ends.
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  child = undefined
  await node.close()
  rmSync(folder, { recursive: true })
})

/** The program with two workers, and its output. */
function start(changes: Record<string, string> = {}) {
  const file = join(folder, 'deployments.json')
  writeFileSync(file, JSON.stringify(deployments))
  const env = {
    PATH: process.env['PATH'],
    DEPLOYMENTS: file,
    RPC_8453: node.url,
    PORT: '0',
    WORKERS: '2',
    MAX_BLOCK_AGE_MS: 'off',
    ...changes,
  }
  const settings = ['--conditions=development', '--import', 'tsx', program]
  const started = spawn(process.execPath, settings, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child = started
  const said = { output: '', errors: '' }
  started.stdout.on('data', (chunk) => {
    said.output += chunk
  })
  started.stderr.on('data', (chunk) => {
    said.errors += chunk
  })
  const urls = () =>
    [...said.output.matchAll(/Sluice is listening on (\S+)/g)].map(([, url]) => url!)
  const exit = once(started, 'exit') as Promise<[number]>
  return { said, urls, process: started, exit }
}

/** Process ids of a program's workers, from the kernel. */
function workersOf({ pid }: ChildProcess): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('default: two processes behind one port; a killed one is replaced; a signal stops all', async () => {
  const { exit, process: program, said, urls } = start()
  await expect.poll(() => urls().length, patience).toBe(2)
  const [url, other] = urls()
  expect(other).toBe(url)
  expect((await ask(url + quotePath)).status).toBe(200)
  process.kill(workersOf(program)[0]!, 'SIGKILL')
  await expect.poll(() => urls().length, patience).toBe(3)
  expect(said.output).toContain('worker ended')
  expect((await ask(`${url}${quotePath}1`)).status).toBe(200)
  program.kill('SIGTERM')
  expect((await exit)[0]).toBe(0)
  await expect(fetch(url + quotePath)).rejects.toThrow()
})

test('behavior: workers end with their parent, even if it is killed', async () => {
  const { exit, process: program, urls } = start()
  await expect.poll(() => urls().length, patience).toBe(2)
  const workers = workersOf(program)
  expect(workers).toHaveLength(2)
  program.kill('SIGKILL')
  await exit
  await expect.poll(() => workers.some(isThere), patience).toBe(false)
})

test('behavior: continues if nobody reads its output', async () => {
  const { process: program, urls } = start()
  await expect.poll(() => urls().length, patience).toBe(2)
  const [url] = urls()
  program.stdout!.destroy()
  program.stderr!.destroy()
  const before = workersOf(program)
  process.kill(before[0]!, 'SIGKILL')
  const isReplaced = () => {
    const workers = workersOf(program)
    return workers.length === 2 && !workers.includes(before[0]!)
  }
  await expect.poll(isReplaced, patience).toBe(true)
  expect((await ask(url + quotePath)).status).toBe(200)
  expect(workersOf(program)).toContain(before[1])
})

test('error: ends all processes with the reason if the port is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const { exit, said } = start({ PORT: `${port}` })
  expect((await exit)[0]).toBe(1)
  taken.close()
  expect(said.errors).toContain(`Port ${port} on 127.0.0.1 is taken by another program.`)
  expect(said.errors).toContain('Set PORT to a free port')
})
