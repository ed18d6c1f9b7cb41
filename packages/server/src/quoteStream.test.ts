import { quoteStreamEvent } from '@sluice/api'
import { type Engine, QuoteError } from '@sluice/engine'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { type Ask, planOf } from '../../engine/test/fakeNode.js'
import { registry } from '../../engine/test/harness.js'
import { ask, startService } from '../test/harness.js'
import type { AppEnv } from './AppEnv.js'
import { createCallers } from './http/callers.js'
import { createLimiter } from './limits/Limiter.js'
import { createStreams } from './limits/Streams.js'
import { getQuoteStream } from './routes/quoteStream.js'

const path = '/api/quote/stream?chain=base&in=WETH&out=USDC&amountIn=1000000'

type Event = { event: string; id?: string; retry?: string; data: Record<string, unknown> }

/** Reads events until the stream ends or `count` have arrived, then disconnects. */
async function read(url: string, count = 100, onEvent = (_: Event) => {}): Promise<Event[]> {
  const leaving = new AbortController()
  const response = await fetch(url, { signal: leaving.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events: Event[] = []
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
      const event = { ...fields, data: JSON.parse(fields['data']!) } as Event
      expect(quoteStreamEvent.safeParse(event).success).toBe(true)
      events.push(event)
      onEvent(event)
    }
    if (events.length >= count) break
  }
  leaving.abort()
  return events
}

function planAt(asked: Ask, rate: bigint) {
  return planOf(asked, { grossOut: asked.amountIn * rate })
}

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url)
  await answer.body!.cancel()
  return answer.status
}

describe('GET /api/quote/stream', () => {
  test('default: one event at once, and one for each block that changes the quote', async () => {
    const { node, url } = await startService({ headFreshMs: 50 })
    let rate = 2n
    node.plan = (asked) => planAt(asked, rate)
    // Legs name their venues once these were read, which would be a change too.
    await ask(`${url}/api/sources?chain=base`)
    const events = await read(url + path, 3, () => {
      node.head++
      // The second block changes nothing.
      setTimeout(() => {
        node.head++
        rate++
      }, 1_500)
    })
    expect(events.map(({ event, data }) => [event, data['amountOut']])).toEqual([
      ['quote', '1994400'],
      ['quote', '2991600'],
      ['quote', '3988800'],
    ])
    expect(new Set(events.map(({ id }) => id)).size).toBe(3)
  })

  test('behavior: a block that replaces another one sends its quote too', async () => {
    const { node, url } = await startService({ headFreshMs: 50 })
    const rates: Record<string, bigint> = { '': 2n, other: 3n }
    node.plan = (asked) => planAt(asked, rates[node.salt]!)
    const events = await read(url + path, 2, () => {
      node.salt = 'other'
    })
    expect(events.map(({ id, data }) => [id, data['amountOut']])).toEqual([
      ['100', '1994400'],
      ['100', '2991600'],
    ])
  })

  test('error: the last event contains the reason', async () => {
    const { node, url } = await startService({ headFreshMs: 50 })
    const events = await read(url + path, 100, () => {
      node.fault = { status: 503 }
      node.head++
    })
    expect(events.map(({ event }) => event)).toEqual(['quote', 'error'])
    expect(events[1]!.data).toMatchObject({ ok: false, code: 'rpc_unreachable', retryable: true })
    expect(events.map(({ retry }) => retry)).toEqual([undefined, '5000'])
  })

  test('error: after a lasting error an EventSource reconnects rarely', async () => {
    const { node, url } = await startService({ headFreshMs: 50 })
    node.fault = { error: { code: 3, message: 'execution reverted', data: '0x' } }
    expect(await read(url + path)).toMatchObject([
      { event: 'error', retry: '60000', data: { code: 'no_route', retryable: false } },
    ])
  })

  test('behavior: ends after its maximum lifetime', async () => {
    const { url } = await startService({
      stream: { maxStreams: 1, maxPerAddress: 1, maxMs: 1_200, maxEvents: 9 },
    })
    expect((await read(url + path)).at(-1)).toMatchObject({
      event: 'end',
      retry: '1000',
      data: { reason: 'time' },
    })
  })

  test('behavior: a stopping service ends every stream at once', async () => {
    const service = await startService()
    const startedAt = performance.now()
    let stopped: Promise<void> | undefined
    const events = await read(service.url + path, 100, () => {
      stopped ??= service.stop()
    })
    await stopped
    expect(events.map(({ event }) => event)).toEqual(['quote', 'end'])
    expect(events[1]!.data).toEqual({ reason: 'shutdown' })
    // Far from the ten seconds that pending responses get.
    expect(performance.now() - startedAt).toBeLessThan(9_000)
  })

  test('behavior: one stream too many is refused; a disconnect makes room', async () => {
    const { url } = await startService({
      stream: { maxStreams: 1, maxPerAddress: 2, maxMs: 60_000, maxEvents: 9 },
    })
    const leaving = new AbortController()
    const first = await fetch(url + path, { signal: leaving.signal })
    const second = `${url}${path}&slippageBps=1`
    const refused = await ask(second)
    expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    leaving.abort()
    await expect(first.text()).rejects.toThrow()
    await expect.poll(async () => await statusOf(second)).toBe(200)
  })

  test('behavior: ends after its maximum number of events', async () => {
    const { node, url } = await startService({
      headFreshMs: 50,
      stream: { maxStreams: 1, maxPerAddress: 1, maxMs: 60_000, maxEvents: 2 },
    })
    node.plan = (asked) => planOf(asked, { estGas: 130_000n + BigInt(node.head) })
    const events = await read(url + path, 100, () => node.head++)
    expect(events.map(({ event }) => event)).toEqual(['quote', 'quote', 'end'])
    expect(events[2]!.data).toEqual({ reason: 'count' })
  })

  test('behavior: HEAD opens no stream', async () => {
    const { url } = await startService({
      stream: { maxStreams: 1, maxPerAddress: 1, maxMs: 60_000, maxEvents: 9 },
    })
    for (let count = 0; count < 3; count++) {
      const { headers, status } = await fetch(url + path, { method: 'HEAD' })
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    }
    expect((await read(url + path, 1))[0]).toMatchObject({ event: 'quote' })
  })

  test('behavior: a caller who reads nothing is disconnected after the maximum lifetime', async () => {
    const quote = () => Promise.reject(new QuoteError('no_route', 'None.', { rpcTried: 1 }))
    const app = new Hono<AppEnv>().get(
      '/stream',
      getQuoteStream({
        engine: { quote } as unknown as Engine,
        registry,
        now: Date.now,
        recentAnswers: { find: () => undefined, put: () => {} },
        callers: createCallers([]),
        limiter: createLimiter({ maxSlots: 9, maxLateMs: 0 }),
        streams: createStreams({ maxStreams: 1, maxPerAddress: 9 }),
        streamLimits: { maxStreams: 1, maxPerAddress: 9, maxMs: 10, maxEvents: 9 },
        stopping: new AbortController().signal,
      }),
    )
    const open = async () =>
      (await app.request(`/stream?chain=31337&in=WETH&out=USDC&amountIn=1`)).status
    expect([await open(), await open()]).toEqual([200, 503])
    await expect.poll(open, { timeout: 10_000 }).toBe(200)
  })

  test('error: ends with rate_limited if the caller has no points left', async () => {
    const { node, url } = await startService({ headFreshMs: 50, rateLimit: 0.01, rateBurst: 9 })
    node.plan = (asked) => planOf(asked, { estGas: 130_000n + BigInt(node.head) })
    const events = await read(url + path, 100, () => node.head++)
    expect(events.map(({ event }) => event)).toEqual(['quote', 'error'])
    expect(events[1]!.data).toMatchObject({ code: 'rate_limited', retryable: true })
  })

  test('error: checks parameters before the stream begins', async () => {
    const { url } = await startService()
    expect(await ask(`${url}${path}&recipient=1`)).toMatchObject({
      status: 400,
      body: { code: 'bad_recipient' },
    })
  })
})
