import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Devnet } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createValidator, type Described } from '../packages/api/test/describedAs.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'sluice-openapi-'))
const file = join(folder, 'openapi.json')
const item = { chain: 'base', in: 'ETH', out: 'USDC', amountIn: '1000000000000000000' }
const trade = `${new URLSearchParams(item)}`

let devnet: Devnet
let server: RunningServer
let described: Described

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await serveDevnet(devnet)
  described = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Described
  writeFileSync(file, JSON.stringify(described))
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

test('default: an independent validator accepts the OpenAPI document', async () => {
  const config = join(folder, 'redocly.yaml')
  // Ignores the validator's style rules; checks the specification only.
  writeFileSync(config, 'extends: [spec]\n')
  const cli = [join(root, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', file, '--config', config]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stderr } = await run(process.execPath, cli, { cwd: folder, env })
  expect(stderr).toContain('Your API description is valid')
})

test('behavior: responses and errors of a running service match the OpenAPI document', async () => {
  const validate = createValidator(described)
  const check = async (path: string, query = '', body?: unknown) => {
    const init = body === undefined ? {} : post(body)
    const answer = await fetch(`${server.url}${path}${query}`, init)
    const content = await answer.json()
    validate(body === undefined ? 'get' : 'post', path, answer.status, content)
    return `${answer.status} ${(content as { code?: string }).code ?? 'ok'}`
  }
  const nowhere = '0x00000000000000000000000000000000000000ff'
  const recipient = '0x00000000000000000000000000000000000A11CE'
  const prepared = (await (
    await fetch(`${server.url}/api/quote/prepare?${trade}&recipient=${recipient}`)
  ).json()) as { request: unknown; rpcRequest: unknown }
  const answer = await fetch(devnet.chains[0]!.rpcUrl, post(prepared.rpcRequest))
  const { result } = (await answer.json()) as { result: string }
  const decoded = { request: prepared.request, result }
  const outcomes = [
    await check('/api/quote', `?${trade}`),
    await check('/api/quote', `?${trade}&recipient=${recipient}`),
    await check(
      '/api/quote',
      `?${trade}&exact=1&gasPrice=1000000000&connectors=${recipient}&pools=${recipient},0x${'ab'.repeat(32)}&explain=1`,
    ),
    await check('/api/quote', `?${trade}&slippageBps=5001`),
    await check('/api/quote', `?chain=base&in=WETH&out=${nowhere}&amountIn=1`),
    await check('/api/quote', '?chain=base&in=USDC&out=WETH&amountIn=1'),
    await check('/api/quote/batch', '', { requests: [item, {}] }),
    await check('/api/quote/batch', '', { requests: [] }),
    await check('/api/quote/prepare', `?${trade}`),
    await check('/api/quote/prepare', '?x=1'),
    await check('/api/quote/prepare', '', { requests: [item, {}] }),
    await check('/api/quote/decode', '', decoded),
    await check('/api/quote/decode', '', { items: [decoded, {}] }),
    await check('/api/quote/decode', '', { ...decoded, result: '0x' }),
    await check('/api/quote/decode', '', { result }),
    await check('/api/deployments'),
    await check('/api/deployments', '?chain=4663'),
    await check('/api/abi'),
    await check('/api/abi', '?contract=errors'),
    await check('/api/abi', '?contract=none'),
    await check('/api/manifest'),
    await check('/api'),
    await check('/api/health'),
    await check('/api/stats'),
    await check('/api/stats', '?chain=base'),
    await check('/api/openapi.json'),
  ]
  expect(outcomes).toMatchInlineSnapshot(`
    [
      "200 ok",
      "200 ok",
      "200 ok",
      "400 bad_slippage_bps",
      "400 bad_out",
      "200 ok",
      "200 ok",
      "400 bad_batch",
      "200 ok",
      "400 bad_chain",
      "200 ok",
      "200 ok",
      "200 ok",
      "400 bad_result",
      "400 bad_request",
      "200 ok",
      "400 bad_chain",
      "200 ok",
      "200 ok",
      "400 bad_contract",
      "200 ok",
      "200 ok",
      "200 ok",
      "200 ok",
      "400 bad_param",
      "200 ok",
    ]
  `)
})

function post(body: unknown): RequestInit {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}
