import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { type FakeMarket, startFakeMarket } from '../../../engine/test/fakeMarket.js'
import { type FakeNode, startFakeNode } from '../../../engine/test/fakeNode.js'
import { startProxy } from '../../../rpc/test/startProxy.js'
import type { TextServer } from '../../../rpc/test/startTextServer.js'
import { startService } from '../harness.js'

let node: FakeNode | undefined
let market: FakeMarket | undefined
let proxy: TextServer | undefined

afterEach(async () => {
  await Promise.all([proxy?.close(), node?.close(), market?.close()])
})

/** Ways to corrupt a response: truncate it, append to it, replace a value, change a digit, or replace it all. */
type Ruin = readonly [at: number, kind: number, word: string]

const values = [
  ...['null', '1e999', '-1', '1', 'true', '""', '[]', '{}', '"0x"', '"0xzz"', '"0x-1"', '"0x1"'],
  ...[`"${'9'.repeat(50)}"`, `"0x${'f'.repeat(64)}"`, `"0x${'00'.repeat(2_000)}"`],
  '['.repeat(50) + ']'.repeat(50),
]

function ruin(text: string, [at, kind, word]: Ruin): string {
  const place = at % (text.length + 1)
  const value = values[at % values.length]!
  if (kind === 0) return text
  if (kind === 1) return text.slice(0, place)
  if (kind === 2) return text.slice(0, place) + word + text.slice(place)
  if (kind === 5) return value
  const found = [...text.matchAll(/"[^"]*"(?!:)|\b\d+\b/g)]
  const { 0: old, index } = found[at % found.length]!
  if (kind === 3) return text.slice(0, index) + value + text.slice(index + old.length)
  const digit = index + 3 + (at % Math.max(1, old.length - 4))
  return text.slice(0, digit) + '0123456789abcdef'[at % 16] + text.slice(digit + 1)
}

/** The service with a node and a market data source whose responses can be corrupted. */
async function start() {
  node = await startFakeNode({ chainId: 8_453n })
  market = await startFakeMarket([])
  const state = { ruin: [0, 0, ''] as Ruin }
  proxy = await startProxy(node.url, async (_, forward) => {
    const answer = await forward()
    return answer && ruin(answer, state.ruin)
  })
  const service = await startService({
    rpcUrls: new Map([[8_453, [proxy.url]]]),
    headFreshMs: 20,
    poolIndex: ':memory:',
    swapIndex: { path: ':memory:' },
    swapIndexMs: 100,
    marketData: [
      { kind: 'dexscreener', url: market.url },
      { kind: 'geckoterminal', url: market.url },
    ],
  })
  return { ...service, state, market }
}

const paths = [
  ...['/', '/solvency', '/errors', '/errors/bad_in.md', '/llms.txt', '/nope', '/assets/x', '/mcp'],
  ...['', '/prepare', '/batch', '/decode', '/route.svg'].map((rest) => `/api/quote${rest}`),
  ...['xray', 'stats', 'badge', 'solvency', 'abi', 'deployments', 'manifest', 'health'].map(
    (name) => `/api/${name}`,
  ),
]
const word = fc.oneof(
  fc.constantFrom(
    ...['__proto__', 'constructor', 'toString', 'chain', 'in', 'out', 'amountIn', 'recipient'],
    ...['slippageBps', 'deadlineSec', 'exact', 'version', 'connectors', 'verify', 'gasPrice'],
    ...['token', 'contract', 'request', 'result', 'items', 'requests', 'base', 'WETH', 'MOSS'],
    ...['1', 'true', '0x', '9'.repeat(77), '1e21', '\u0000', '%', '..', '&', '[]', 'null'],
    ...['0x4200000000000000000000000000000000000006', `0x${'f'.repeat(40)}`],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

const statuses = [200, 202, 204, 304, 400, 403, 404, 405, 406, 413, 414, 415, 422, 431, 502]

test('property: any request with any data from nodes and markets gets a response and no internal error', async () => {
  const { log, market: source, state, url } = await start()
  let count = 0
  const property = fc.asyncProperty(
    fc.constantFrom(...paths),
    fc.constantFrom('GET', 'GET', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT'),
    fc.array(fc.tuple(word, word), { maxLength: 5 }),
    fc.boolean(),
    fc.dictionary(word, fc.oneof(word, fc.jsonValue()), { maxKeys: 5 }),
    fc.tuple(fc.nat(100_000), fc.nat(5), word),
    fc.jsonValue({ maxDepth: 5 }),
    async (path, method, pairs, isPlain, members, spoilt, reported) => {
      state.ruin = spoilt
      source.answer = reported
      const trade = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: `${++count}` }
      const asked = path === '/api/xray' ? { chain: 'base', token: 'WETH' } : trade
      const takesNone = /stats|badge|solvency/.test(path)
      const query = isPlain && takesNone ? '' : `?${new URLSearchParams(isPlain ? asked : pairs)}`
      const params = { name: pairs[0]?.[0] ?? 'get_quote', arguments: members }
      const result = `0x${'ab'.repeat(count % 300)}`
      const body =
        path === '/mcp'
          ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
          : { requests: [isPlain ? trade : { ...trade, ...members }], result, ...members }
      const sends = method === 'POST' || method === 'PUT'
      const accept = 'application/json, text/event-stream'
      const answer = await fetch(sends ? url + path : url + path + query, {
        method,
        ...(sends && { body: JSON.stringify(isPlain ? { requests: [trade] } : body) }),
        headers: { accept, ...(sends && { 'content-type': 'application/json' }) },
      })
      const text = await answer.text()
      expect([path, query, answer.status]).toEqual([path, query, expect.toBeOneOf(statuses)])
      if (answer.status < 400 || method === 'HEAD' || path === '/mcp') return
      expect(JSON.parse(text)).toMatchObject({ ok: false, code: expect.any(String) })
      expect(text).toMatch(/^[ -~]*$/)
    },
  )
  await fc.assert(property, { numRuns: 1_000, seed: 1 })
  expect(log.filter((line) => line.includes('"msg":"fault"'))).toEqual([])
}, 180_000)
