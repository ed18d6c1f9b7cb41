import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { deployments } from '../../domain/test/deployments.js'
import { startFakeNode } from '../../engine/test/fakeNode.js'
import { ask, quotePath } from '../test/harness.js'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

test('default: two processes behind one port; one that is killed is replaced; all end when told to', async () => {
  const node = await startFakeNode({ chainId: 8_453n })
  const file = join(mkdtempSync(join(tmpdir(), 'sluice-workers-')), 'deployments.json')
  writeFileSync(file, JSON.stringify(deployments))
  const settings = ['--conditions=development', '--import', 'tsx', program]
  const env = {
    DEPLOYMENTS: file,
    RPC_8453: node.url,
    PORT: '0',
    WORKERS: '2',
    MAX_BLOCK_AGE_MS: 'off',
  }
  const child = spawn(process.execPath, settings, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const started = () => [...output.matchAll(/Sluice is listening on (\S+)/g)].map(([, url]) => url!)
  await expect.poll(() => started().length, { timeout: 30_000 }).toBe(2)
  const [url, other] = started()
  expect(other).toBe(url)
  expect((await ask(url + quotePath)).status).toBe(200)
  const { pid } = await workerOf(child.pid!)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => started().length, { timeout: 30_000 }).toBe(3)
  expect(output).toContain('worker ended')
  expect((await ask(`${url}${quotePath}1`)).status).toBe(200)
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
  await expect(fetch(url + quotePath)).rejects.toThrow()
  await node.close()
})

/** The first child of a process, from the kernel's own list. */
async function workerOf(parent: number): Promise<{ pid: number }> {
  const { readFileSync } = await import('node:fs')
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
  return { pid: Number(children[0]) }
}
