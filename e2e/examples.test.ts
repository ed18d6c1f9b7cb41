import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Devnet } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-examples-'))
let devnet: Devnet
let server: RunningServer

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  writeFileSync(join(folder, 'deployments.json'), JSON.stringify(devnet.deployments))
  server = await serveDevnet(devnet)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const digits = (text: string) =>
  text.replaceAll(/0x[0-9a-f]{40,64}/gi, 'ADDRESS').replaceAll(/\d+/g, 'N')

test('default: quote-sign-send receives the quoted amount', async () => {
  const { code, stderr, stdout } = await run('quote-sign-send.ts')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [quoted, dry, received] = [...stdout.matchAll(/([\d.]+) USDC/g)].map(([, text]) => text)
  expect([dry, received]).toEqual([quoted, quoted])
  expect(stdout).toContain('success')
})

test('default: verify-dont-trust computes one amount in three ways, and rejects a forgery', async () => {
  const { code, stderr, stdout } = await run('verify-dont-trust.ts')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(digits(stdout)).toBe(`amountOut, three ways: N, N, N
Checks passed: bound, strict, arithmetic, witness
The transaction pays ADDRESS at least N, or reverts.
A forged result fails the check "arithmetic".
`)
})

test('default: batch quotes five trades, and the sixth fails', async () => {
  const { code, stderr, stdout } = await run('batch.ts')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.match(/ETH: \d+ over \d+ legs/g)).toHaveLength(5)
  expect(stdout).toContain('Rejected with bad_pair')
  expect(stdout).toContain('Your node computes the same quotes.')
})

function run(name: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const held = join(root, 'e2e/lib/hold.ts')
  const flags = ['--conditions=development', '--import', 'tsx', '--import', held]
  const child = spawn(process.execPath, [...flags, join(root, 'examples', name)], {
    cwd: root,
    env: {
      ...process.env,
      SLUICE_URL: server.url,
      RPC_8453: devnet.chains[0]!.rpcUrl,
      DEPLOYMENTS: join(folder, 'deployments.json'),
    },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
