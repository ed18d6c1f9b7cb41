import type { IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { registry, tokens } from '../../domain/test/deployments.js'
import { askRaw, quotePath, startService } from '../test/harness.js'
import { createQuickLane, type QuickLaneOptions } from './quickLane.js'
import { createPrepareTexts } from './routes/PrepareTexts.js'

const path = '/api/quote/prepare'
const prepare = `${path}?chain=base&in=WETH&out=USDC&amountIn=1000000`
const recipient = '0x00000000000000000000000000000000000a11ce'
const requestId = 'one-and-the-same'

/** Targets that go each way, most of them twice as hard to tell apart as callers make them. */
const targets = [
  prepare,
  prepare.replace('1000000', '2000000'),
  prepare.replace('1000000', '002000000'),
  `${path}?amountIn=5&chain=8453&in=${tokens.dai.toLowerCase()}&out=ETH`,
  `${path}?chain=base&amountIn=5&in=ETH&out=${tokens.dai}`,
  `${prepare}&recipient=${recipient}&slippageBps=50&deadlineSec=60`,
  `${prepare}&recipient=${tokens.weth}`,
  `${prepare}&exact=1`,
  `${prepare}&gasPrice=7&connectors=${tokens.dai}`,
  `${prepare}&slippageBps=5001`,
  `${prepare}&slippageBps=`,
  `${prepare}&amountIn=2`,
  `${prepare}&amountIn=1000000`,
  `${prepare}&in=WETH`,
  `${prepare}&x=1`,
  `${prepare}&`,
  `${prepare}&&`,
  `${prepare}%26`,
  `${prepare}#a`,
  prepare.replace('WETH', '%57ETH'),
  prepare.replace('WETH', 'weth'),
  prepare.replace('WETH', '+WETH'),
  prepare.replace('WETH', 'W%45TH%00'),
  prepare.replace('amountIn', '%61mountIn'),
  prepare.replace('1000000', '%31'),
  prepare.replace('1000000', '0'),
  prepare.replace('1000000', '-1'),
  prepare.replace('1000000', '1e6'),
  prepare.replace('1000000', '9'.repeat(77)),
  prepare.replace('1000000', '9'.repeat(78)),
  prepare.replace('chain=base', 'chain=%zz'),
  prepare.replace('?', '??'),
  prepare.replace('?', '/?'),
  prepare.replace('prepare', '%70repare'),
  prepare.replace('/api', '//api'),
  prepare.replace('/api', '/./api'),
  prepare.replace('/api', '/API'),
  `${path}?`,
  path,
  quotePath,
  quotePath,
  `${quotePath}&slippageBps=7`,
  `${quotePath}&slippageBps=7`,
  `${quotePath}&exact=1`,
  quotePath.replace('WETH', '%57ETH'),
  '/api/quotes?a=1',
]

/** Headers that say how to answer, of which none is heeded. */
const conditions = [
  'if-none-match: *',
  'if-match: "x"',
  'if-modified-since: Sun, 01 Nov 2026 00:00:00 GMT',
  'range: bytes=0-9',
  'accept: text/html',
  'accept-encoding: identity',
  'expect: 100-continue',
  'x-http-method-override: DELETE',
]

/** Without what is said of time, which goes on between two answers, and with it from where they come. */
const timeless = (text: string) =>
  text
    .replace(/"(quotedAt|latencyMs|rpcTried|preparedAt|expiresAt)":\d+/g, '"$1":0')
    .replace(/"(digest|mac|cache)":"\w+"/g, '"$1":""')

async function answerOf(port: number, request: string) {
  const answer = await askRaw(port, request)
  const [head = '', text = ''] = answer.split(/\r\n\r\n(?!HTTP)/)
  const [status, ...lines] = head.toLowerCase().split('\r\n')
  const length = lines.find((line) => line.startsWith('content-length: '))
  if (request.startsWith('GET') && length !== undefined)
    expect(length).toBe(`content-length: ${Buffer.byteLength(text)}`)
  const own = lines.filter((line) => !/^(date|ratelimit.*|content-length): /.test(line))
  return [status, own.sort(), timeless(text)]
}

describe('the quick lane', () => {
  const requestOf = (method: string, target: string, ...more: string[]) =>
    [
      `${method} ${target} HTTP/1.1`,
      'host: x',
      'connection: close',
      `x-request-id: ${requestId}`,
      ...more,
      '\r\n',
    ].join('\r\n')
  const requests = [
    ...targets.flatMap((target) => ['GET', 'HEAD'].map((method) => requestOf(method, target))),
    ...['POST', 'PUT', 'OPTIONS', 'DELETE'].map((method) => requestOf(method, prepare)),
    ...[prepare, quotePath].flatMap((target) =>
      conditions.map((line) => requestOf('GET', target, line)),
    ),
    `${requestOf('GET', prepare, 'content-length: 2')}{}`,
    requestOf('GET', prepare).replace('HTTP/1.1', 'HTTP/1.0'),
  ]

  test.each([
    ['on', {}],
    ['off', { quoteRelay: 'off', digestKey: '0123456789abcdef', publishRpc: true }],
  ] as const)(
    'default: gives the answers of the app, header by header and byte by byte, the relay %s',
    async (_, changes) => {
      // An answer says how long its block will last.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      onTestFinished(() => void vi.useRealTimers())
      const quick = await startService({ logLevel: 'silent', ...changes })
      // With a limit, every request goes through the app. The command names the node, which is another one's there.
      const limits = { rateLimit: 9_999, rateBurst: 9_999 }
      const whole = await startService({ logLevel: 'silent', ...changes, ...limits })
      const named = (answer: unknown) =>
        JSON.parse(JSON.stringify(answer).replaceAll(whole.node.url, quick.node.url)) as unknown
      for (const request of requests)
        expect(await answerOf(quick.port, request), request).toEqual(
          named(await answerOf(whole.port, request)),
        )
    },
    60_000,
  )

  /** Without the app behind it. */
  const isTaken = (
    { method = 'GET', url = prepare }: { method?: string; url?: string },
    changes: Partial<QuickLaneOptions> = {},
  ) => {
    const preparing = { registry, now: Date.now, publicRpcUrls: new Map(), digestKey: undefined }
    const lane = createQuickLane({
      ...preparing,
      prepareTexts: createPrepareTexts(preparing),
      quoteTexts: { find: () => undefined, put: () => undefined },
      isRelay: true,
      noteRequest: undefined,
      ...changes,
    })
    let isEnded = false
    const outgoing = { writeHead: () => undefined, end: () => (isEnded = true) }
    const taken = lane({ method, url, headers: {} } as IncomingMessage, outgoing as never)
    expect(isEnded).toBe(taken)
    return taken
  }

  test('behavior: takes plain prepared calls', () => {
    expect(isTaken({})).toBe(true)
    expect(isTaken({ url: `${prepare}&recipient=${recipient}&slippageBps=50` })).toBe(true)
  })

  test.each([
    [{ method: 'HEAD' }, {}],
    [{ method: 'POST' }, {}],
    [{ url: path }, {}],
    [{ url: `${prepare}&exact=1` }, {}],
    [{ url: `${prepare}&amountIn=2` }, {}],
    [{ url: prepare.replace('WETH', '%57ETH') }, {}],
    [{ url: prepare.replace('1000000', '0') }, {}],
    [{ url: quotePath }, {}],
    [{}, { rateLimit: {} }],
  ])('behavior: leaves %j to the app, with %j', (asked, changes) => {
    expect(isTaken(asked, changes)).toBe(false)
  })

  test('behavior: is seen in the log and the metrics like every other answer', async () => {
    const { adminPort, log, url } = await startService({ adminPort: 0 })
    await (await fetch(url + prepare, { headers: { 'x-request-id': requestId } })).text()
    const line = log.map((text) => JSON.parse(text)).find(({ path }) => path?.includes('prepare'))
    expect(line).toMatchObject({ method: 'GET', path, requestId, status: 200 })
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    expect(metrics).toMatch(/duration_seconds_count\{[^}]*prepare[^}]*"200"[^}]*\} 1/)
  })
})
