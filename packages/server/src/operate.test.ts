import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createFakeLogChain } from '../../engine/test/fakeLogChain.js'
import { blockHash, planOf, startFakeNode } from '../../engine/test/fakeNode.js'
import { startLogNode } from '../../engine/test/startLogNode.js'
import { ask, post, quotePath, startService } from '../test/harness.js'

const item = (amountIn: number) => ({ chain: 'base', in: 'WETH', out: 'USDC', amountIn })

describe('rate limits', () => {
  test('default: a miss costs five points, a hit one, health none; headers show the rest', async () => {
    // So slow that less than a point refills during the test.
    const { url } = await startService({ rateLimit: 0.001, rateBurst: 12 })
    const left = async (path: string) => (await ask(url + path)).headers.get('ratelimit')
    expect((await ask(`${url}/api/health`)).headers.get('ratelimit')).toBeNull()
    expect(await left(quotePath)).toMatch(/^"default";r=7;t=(5000|49..)$/)
    expect(await left(quotePath)).toMatch(/^"default";r=6;t=(6000|59..)$/)
    const refused = await post(`${url}/api/quote/batch`, { requests: [item(5), item(6), item(7)] })
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', retryable: true } })
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=12;w=12000')
    // Parsing it costs as much as a hit.
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=5;t=(7000|69..)$/)
    expect(await left(`${quotePath}1`)).toMatch(/^"default";r=0;t=(12000|119..)$/)
    const early = await ask(`${url}${quotePath}2`)
    expect(early).toMatchObject({ status: 429, body: { code: 'rate_limited', retryable: true } })
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(2)
    expect((await ask(`${url}/api/health`)).status).toBe(200)
  })

  test('behavior: concurrent requests cannot exceed the points', async () => {
    const { node, url } = await startService({ rateLimit: 0.001, rateBurst: 10 })
    const paths = Array.from({ length: 134 }, (_, index) => `${url}${quotePath}${index}`)
    const statuses = (await Promise.all(paths.map((path) => ask(path)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(statuses.filter((status) => status === 429)).toHaveLength(132)
    expect(node.calls.get('eth_call')).toBe(2)
  })

  test('behavior: a burst below the price of a quote admits one at a time', async () => {
    const { url } = await startService({ rateLimit: 0.001, rateBurst: 2 })
    const paths = Array.from({ length: 134 }, (_, index) => `${url}${quotePath}${index}`)
    const answers = await Promise.all(paths.map((path) => ask(path)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const waits = answers.flatMap(({ headers }) => Number(headers.get('retry-after') ?? 0))
    // The time to fill a full bucket twice, not what 134 quotes cost.
    expect(Math.max(...waits)).toBeLessThanOrEqual(4_000)
  })

  test('behavior: a failing batch item costs as much as a failing quote', async () => {
    // Unknown symbols are looked up in market data and on chain.
    const { url } = await startService({ rateLimit: 0.01, rateBurst: 100, marketData: [] })
    const left = ({ headers }: { headers: Headers }) =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    const wrong = { chain: 'base', in: 'NOBODY', out: 'USDC', amountIn: '1' }
    const alone = await ask(`${url}/api/quote?${new URLSearchParams(wrong)}`)
    expect([alone.status, left(alone)]).toEqual([422, 95])
    const batch = await post(`${url}/api/quote/batch`, { requests: Array(10).fill(wrong) })
    expect([batch.status, left(batch)]).toEqual([200, 45])
  })

  test('behavior: requests that cause more node work cost more, streams too', async () => {
    const { url } = await startService({ rateLimit: 0.01, rateBurst: 100 })
    const leftAfter = async (path: string) => {
      const { body, headers } = await fetch(url + path)
      await body!.cancel()
      return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    }
    expect(await leftAfter(`${quotePath}&exact=1`)).toBe(85)
    expect(await leftAfter(`${quotePath.replace('quote', 'quote/stream')}&exact=1`)).toBe(70)
  })

  test('behavior: x-forwarded-for counts only from a trusted proxy', async () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    const open = await startService({ rateLimit: 1, rateBurst: 1 })
    const path = `${quotePath}&exact=1`
    await ask(open.url + path, from('192.0.2.1'))
    expect((await ask(open.url + path, from('192.0.2.2'))).status).toBe(429)
    const trustedProxies = ['127.0.0.0/8', '10.0.0.0/8']
    const behind = await startService({ rateLimit: 1, rateBurst: 1, trustedProxies })
    const statusOf = async (address: string) => (await ask(behind.url + path, from(address))).status
    expect(await statusOf('192.0.2.1')).toBe(200)
    expect(await statusOf('6.6.6.6, 192.0.2.1, 10.1.1.1')).toBe(429)
    expect(await statusOf('192.0.2.1, 192.0.2.2')).toBe(200)
    expect(await statusOf('2001:db8::1')).toBe(200)
    expect(await statusOf('2001:db8:0:0:ffff::2')).toBe(429)
  })
})

describe('overload', () => {
  test('default: excess different quotes are refused at once, identical ones join', async () => {
    const { node, url } = await startService({ maxFlights: 2 })
    let answer = () => {}
    node.until = new Promise((resolve) => {
      answer = resolve
    })
    const amounts = [1, 1, 1, 2, 3]
    const paths = amounts.map(
      (amount) => `/api/quote?chain=base&in=WETH&out=USDC&amountIn=${amount}`,
    )
    const first = paths.slice(0, 4).map((path) => ask(url + path))
    await expect.poll(() => node.calls.get('eth_call')).toBe(2)
    const refused = await ask(url + paths[4])
    expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded', retryable: true } })
    expect(refused.headers.get('retry-after')).toBe('1')
    answer()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await ask(url + paths[4])).status).toBe(200)
  })
})

describe('the admin listener', () => {
  test('default: serves metrics without tokens, addresses or URLs', async () => {
    const { adminPort, node, url } = await startService({ adminPort: 0 })
    await ask(url + quotePath)
    await ask(`${url}/api/quote?chain=base&in=WETH&out=USDC&amountIn=x`)
    await ask(`${url}/made-up-${Math.random()}`)
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    expect(text).toContain(
      'sluice_quotes_total{chain="8453",mode="preview",outcome="executable"} 1',
    )
    expect(text).toContain('sluice_quote_cache_total{chain="8453",result="miss"} 1')
    expect(text).toContain('sluice_refusals_total{code="bad_amount_in"} 1')
    expect(text).toContain('sluice_rpc_breaker_state{upstream="8453#1"} 0')
    expect(text).toContain('sluice_rpc_excluded{upstream="8453#1"} 0')
    expect(text).toContain('sluice_head_block{chain="8453"} 100')
    expect(text).toMatch(
      /rpc_client_call_duration_seconds_count\{.*upstream="8453#1",error_type=""\} 1/,
    )
    expect(text).toMatch(
      /http_server_request_duration_seconds_count\{.*http_route="none",http_response_status_code="404"\} 1/,
    )
    for (const secret of ['made-up', node.url, '0x'])
      expect(text.toLowerCase()).not.toContain(secret)
  })

  test('behavior: counts every refusal', async () => {
    const service = await startService({
      adminPort: 0,
      rateLimit: 1,
      rateBurst: 11,
      quoteRelay: 'off',
    })
    const { adminPort, url } = service
    await ask(`${url}/made-up`)
    await ask(`${url}/api/quote`, { method: 'POST' })
    await ask(url + quotePath)
    await ask(url + quotePath)
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    const counted = [...text.matchAll(/^sluice_refusals_total\{code="(.+)"\} (\d+)$/gm)]
    expect(counted.map(([, code, times]) => `${code} ${times}`).sort()).toEqual([
      'method_not_allowed 1',
      'not_found 1',
      'rate_limited 1',
      'rpc_required 1',
    ])
  })

  test('behavior: every metric is used', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => startFakeNode({ chainId: 8_453n })))
    const chain = createFakeLogChain()
    const log = await startLogNode(chain)
    const rpcUrls = new Map([[8_453, nodes.map(({ url }) => url)]])
    const changes = { adminPort: 0, rpcUrls, maxFlights: 1, headFreshMs: 20 }
    const service = await startService({
      ...changes,
      swapIndex: { path: ':memory:' },
      swapIndexMs: 50,
    })
    const other = await startService({
      adminPort: 0,
      rpcUrls: new Map([[8_453, [log.url]]]),
      swapIndex: { path: ':memory:' },
      swapIndexMs: 50,
    })
    const { url } = service
    await ask(url + quotePath)
    await ask(`${url}/api/quote?chain=base`)
    // A slow first node causes a hedge, and one quote more than allowed is refused.
    nodes[0]!.delayMs = 1_500
    const slow = ask(`${url}${quotePath}1`)
    await expect.poll(async () => (await ask(`${url}${quotePath}2`)).status).toBe(503)
    await slow
    nodes[0]!.delayMs = 0
    // A plan on another branch than its node's headers.
    const honest = nodes[0]!.plan
    for (const node of nodes)
      node.plan = (asked) => {
        const plan = planOf(asked)
        return { ...plan, witness: { ...plan.witness, chainId: 8_453n, parentHash: blockHash(7) } }
      }
    await ask(`${url}${quotePath}3`)
    for (const node of nodes) node.plan = honest
    const prepared = await ask(url + quotePath.replace('quote', 'quote/prepare'))
    await post(`${url}/api/quote/decode`, { request: prepared.body['request'], result: '0x' })
    const patient = { timeout: 20_000 }
    const text = async ({ adminPort }: typeof service) =>
      await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    await expect.poll(() => text(other), patient).toMatch(/^sluice_index_lag_blocks\{/m)
    await expect.poll(() => text(service), patient).toMatch(/^sluice_index_failures_total\{/m)
    const told = `${await text(service)}\n${await text(other)}`
    const names = [...told.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
    expect(new Set(names).size).toBeGreaterThanOrEqual(16)
    const silent = names.filter(
      (name) => !new RegExp(`^${name}(_count)?(\\{.*\\})? `, 'm').test(told),
    )
    expect(silent).toEqual([])
    const guide = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
    const described = [...guide.matchAll(/^\| `([a-z]+_[a-z_]+)`/gm)].map(([, name]) => name!)
    expect(described.sort()).toEqual([...new Set(names)].sort())
    await Promise.all([...nodes, log].map((node) => node.close()))
  })

  test('behavior: ready while a head is fresh, always alive', async () => {
    const { adminPort, node } = await startService({ adminPort: 0, headFreshMs: 50 })
    const status = async (path: string) =>
      (await fetch(`http://127.0.0.1:${adminPort}${path}`)).status
    expect(await status('/readyz')).toBe(200)
    node.fault = { status: 503 }
    await expect.poll(() => status('/readyz')).toBe(503)
    expect(await status('/livez')).toBe(200)
    expect(await status('/nope')).toBe(404)
  })

  test('error: names the variable of a port that is in use', async () => {
    const { adminPort } = await startService({ adminPort: 0 })
    await expect(startService({ adminPort: adminPort! })).rejects.toThrow(
      `Port ${adminPort} on 127.0.0.1 is taken by another program.\nSet ADMIN_PORT to a free port; 0 lets the system choose.`,
    )
  })

  test('behavior: listens only on the configured host', async () => {
    const { adminPort } = await startService({ adminPort: 0, adminHost: '127.0.0.7' })
    expect((await fetch(`http://127.0.0.7:${adminPort}/livez`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.1:${adminPort}/livez`)).rejects.toThrow()
  })

  test('error: names the variable of a host that is not on this machine', async () => {
    await expect(startService({ adminPort: 0, adminHost: '192.0.2.1' })).rejects.toThrow(
      'Port 0 on 192.0.2.1 cannot be used (EADDRNOTAVAIL).\nSet ADMIN_HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them.',
    )
  })

  test('behavior: is disabled by default', async () => {
    expect((await startService()).adminPort).toBeUndefined()
  })
})

describe('the log', () => {
  const callersIn = ({ log }: { log: readonly string[] }) =>
    log.flatMap((line) => JSON.parse(line).caller ?? [])

  test('default: identifies the caller by the address that limits use', async () => {
    const service = await startService({ trustedProxies: ['127.0.0.0/8'] })
    await ask(`${service.url}/api/health`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
    await ask(`${service.url}/api/health`)
    expect(callersIn(service)).toEqual(['192.0.2.1', '127.0.0.1'])
  })

  test('behavior: identifies the caller by a hash, or not at all', async () => {
    const digestKey = 'a key of 16 signs'
    const hashed = await startService({ logCaller: 'hash', digestKey })
    const silent = await startService({ logCaller: 'off' })
    for (const { url } of [hashed, silent]) await ask(`${url}/api/health`)
    const name = createHmac('sha256', digestKey).update('127.0.0.1').digest('base64url')
    expect(callersIn(hashed)).toEqual([name.slice(0, 16)])
    expect(hashed.log.join()).not.toContain('"caller":"127.0.0.1"')
    expect(callersIn(silent)).toEqual([])
  })
})

describe('stopping', () => {
  test('default: reports it at once, completes pending requests, loses nothing', async () => {
    // Long enough for late clients, and shorter than the node's delay: the server stops accepting before the responses
    // are ready.
    const service = await startService({ adminPort: 0, drainDelayMs: 1_000 })
    const { adminPort, node, url } = service
    node.delayMs = 1_400
    const paths = Array.from({ length: 20 }, (_, index) => `${quotePath}${index}`)
    const asked = paths.map((path) => ask(url + path))
    await expect.poll(() => node.calls.get('eth_call') ?? 0).toBe(20)
    const stopped = service.stop()
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(503)
    const late = await fetch(url + quotePath)
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
    expect((await Promise.all(asked)).every(({ status }) => status === 200)).toBe(true)
    await stopped
    await expect(fetch(url + quotePath)).rejects.toThrow()
  })

  test('behavior: a database that hangs does not delay it', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const swapIndex = { url: `postgres://sluice@127.0.0.1:${port}/sluice` }
    const service = await startService({ swapIndex, swapIndexMs: 100 })
    await expect.poll(() => sockets.size).toBeGreaterThan(0)
    const startedAt = performance.now()
    await service.stop()
    // The wait would be twice as long: five seconds for each of two connections.
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe('slow clients', () => {
  test.each([
    ['sends its headers byte by byte', 'GET /api/health HTTP/1.1\r\nx: '],
    [
      'sends its body byte by byte',
      'POST /api/quote/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n',
    ],
    ['says nothing', ''],
  ])('behavior: a socket that %s is closed within ten seconds', async (_, start) => {
    const { port, url } = await startService()
    const startedAt = performance.now()
    const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))
    const closed = sockets.map((socket) => {
      socket.on('error', () => {})
      socket.write(start)
      const drip = setInterval(() => start !== '' && socket.writable && socket.write('a'), 500)
      return new Promise<void>((resolve) => {
        socket.resume()
        socket.on('close', () => {
          clearInterval(drip)
          resolve()
        })
      })
    })
    expect((await ask(url + quotePath)).status).toBe(200)
    await Promise.all(closed)
    expect(performance.now() - startedAt).toBeLessThan(10_500)
  })
})

describe('traceparent', () => {
  test('behavior: the log line contains a valid trace id; responses do not', async () => {
    const service = await startService()
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traceparents = [
      `00-${trace}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
      'x',
    ]
    const texts: string[] = []
    for (const traceparent of traceparents) {
      const answer = await fetch(`${service.url}/api`, { headers: { traceparent } })
      texts.push(JSON.stringify([...answer.headers]) + (await answer.text()))
    }
    const lines = service.log.map((line) => JSON.parse(line)).filter(({ path }) => path === '/api')
    expect(lines.map(({ traceId }) => traceId)).toEqual([trace, undefined, undefined, undefined])
    expect(texts.join()).not.toContain(trace)
  })
})
