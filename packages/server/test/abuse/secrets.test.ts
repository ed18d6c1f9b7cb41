import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { HttpRequestError } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { faultOf } from '../../src/faultOf.js'
import { ask, post, quotePath, startService } from '../harness.js'

const canary = 'CANARY_b1d5ecret'
const servers: { close: () => void }[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A node that repeats the keys in its URL and headers in every response. */
async function startGossip(): Promise<number> {
  const node = createServer((request, response) => {
    const message = `quota of ${request.url} ${request.headers.authorization} is used up`
    const headers = { 'x-key': canary, location: `http://x/${canary}`, 'set-cookie': canary }
    response
      .writeHead(200, headers)
      .end(
        JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message, data: message } }),
      )
  })
  servers.push(node)
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  return (node.address() as { port: number }).port
}

/** All responses of the service on all of its paths, with statuses and headers. */
async function hearAll(url: string, adminPort: number): Promise<string[]> {
  const said: string[] = []
  const hear = async (path: string, init?: RequestInit) => {
    const answer = await fetch(path.startsWith('http') ? path : url + path, init)
    said.push(`${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`)
  }
  const trade = quotePath.split('?')[1]!
  const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: object }
  const served = Object.keys(paths)
  expect(served.length).toBeGreaterThan(12)
  const queries = ['', `?${trade}`, `?${trade}&exact=1`, `?${trade}&verify=2`]
  const symbols = ['?chain=base&token=MOSS', `?${trade.replace('USDC', 'MOSS')}`]
  const documents = ['/', '/nope', '/solvency', '/errors', '/.well-known/security.txt', '/llms.txt']
  for (const path of [...served, ...documents])
    for (const query of [...queries, ...symbols]) await hear(path + query)
  const json = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const item = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1' }
  const call = (name: string, given: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  })
  for (const [path, body] of [
    ['/api/quote/batch', { requests: [item, { ...item, out: 'MOSS' }] }],
    ['/api/quote/prepare', { requests: [item] }],
    ['/api/quote/decode', { requests: [item] }],
    ['/mcp', call('get_quote', { ...item, amountIn: undefined, amount: '1', amountUnit: 'base' })],
    ['/mcp', call('xray_token', { chain: 'base', token: 'WETH' })],
    ['/mcp', call('get_solvency', {})],
    ['/mcp', call('get_stats', {})],
  ] as const)
    await hear(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  for (const path of ['metrics', 'readyz', 'livez'])
    await hear(`http://127.0.0.1:${adminPort}/${path}`)
  return said
}

describe("the operator's keys", () => {
  test('behavior: appear in no response, header, event, metric or log line', async () => {
    const port = await startGossip()
    const { adminPort, log, url } = await startService({
      rpcUrls: new Map([
        [
          8_453,
          [
            `http://127.0.0.1:${port}/v2/${canary}`,
            `http://u:${canary}@127.0.0.1:1/?key=${canary}`,
          ],
        ],
      ]),
      redisUrl: `redis://:${canary}@127.0.0.1:1/0`,
      swapIndex: { url: `postgres://u:${canary}@127.0.0.1:1/${canary}` },
      swapIndexMs: 100,
      marketData: [{ kind: 'dexscreener', url: `http://127.0.0.1:${port}/${canary}` }],
      digestKey: `${canary}${canary}`,
      adminPort: 0,
      rateLimit: 100_000,
      rateBurst: 100_000,
      logLevel: 'trace',
    })
    const said = await hearAll(url, adminPort!)
    expect(said.some((each) => each.startsWith('502 '))).toBe(true)
    for (const told of ['node failed', 'market data failed', 'indexing swaps failed'])
      expect(log.join('')).toContain(told)
    for (const text of [...said, ...log]) expect(text).not.toContain(canary)
  })

  test('behavior: appear in no output of the program', async () => {
    const port = await startGossip()
    const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
    const env = {
      PATH: process.env['PATH'],
      RPC_8453: `http://127.0.0.1:${port}/${canary},http://u:${canary}@127.0.0.1:1/`,
      REDIS_URL: `redis://u:${canary}@127.0.0.1:${port}/`,
      DATABASE_URL: `postgres://u:${canary}@127.0.0.1:${port}/${canary}`,
      MARKET_DATA: `dexscreener=http://127.0.0.1:${port}/${canary},geckoterminal=https://${canary}.invalid`,
      DIGEST_KEY: `${canary}${canary}`,
      PORT: '0',
      ADMIN_PORT: `${await freePort()}`,
      LOG_LEVEL: 'trace',
    }
    const settings = ['--conditions=development', '--import', 'tsx', program]
    const child = spawn(process.execPath, settings, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    servers.push({ close: () => child.kill('SIGKILL') })
    let written = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        written += chunk
      })
    const listening = () => /Sluice is listening on (\S+)/.exec(written)?.[1]
    await expect.poll(listening, { timeout: 60_000 }).toBeDefined()
    const said = await hearAll(listening()!, Number(env.ADMIN_PORT))
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect((await exit)[0]).toBe(0)
    expect(written).toContain('node failed')
    for (const text of [...said, ...written.split('\n')]) expect(text).not.toContain(canary)
  })

  test('behavior: are not logged with an internal error', () => {
    const cause = new Error(`connect to https://node.example/${canary}`)
    const fault = new HttpRequestError({ url: `https://node.example/${canary}`, cause, body: {} })
    expect(fault.stack).toContain(canary)
    expect(JSON.stringify(faultOf(fault))).not.toContain(canary)
    expect(faultOf(fault)).toMatchObject({
      name: 'HttpRequestError',
      stack: expect.stringMatching(/^ {4}at .*secrets\.test\.ts/),
    })
    expect(faultOf(canary)).toEqual({ name: 'string' })
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

describe('log injection', () => {
  test('property: each line is one JSON object of printable ASCII, whatever the request', async () => {
    const { log, url } = await startService({ logLevel: 'trace' })
    const nasty = fc.string({
      unit: fc.constantFrom(
        '\\',
        '"',
        '%0d%0a',
        '%1b[2J',
        '%00',
        '%e2%80%ae',
        '}',
        'a',
        '{"level":60}',
      ),
    })
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const headers = {
          'user-agent': text.replaceAll('%', '\\'),
          'x-request-id': text.slice(0, 64),
        }
        await fetch(`${url}/${text}?q=${text}`, { headers }).then((answer) => answer.text())
        await ask(`${url}/api/quote?chain=${text}`, { headers })
      }),
      { numRuns: 150, seed: 18 },
    )
    expect(log.length).toBeGreaterThan(250)
    for (const line of log) {
      expect(line.endsWith('\n') && line.indexOf('\n') === line.length - 1).toBe(true)
      expect(JSON.parse(line)).toBeTypeOf('object')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(line.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(line.length).toBeLessThan(1_000)
    }
  })

  test('behavior: callers cannot add response headers', async () => {
    const { url } = await startService()
    const { headers } = await post(`${url}/api/quote/batch?a=%0d%0aset-cookie:%20x=1`, {})
    expect(headers.get('set-cookie')).toBeNull()
  })
})
