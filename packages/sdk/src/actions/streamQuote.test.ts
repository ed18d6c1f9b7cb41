import { describe, expect, test } from 'vitest'
import { failure, json, quoteBody, serviceOf, trade } from '../../test/service.js'
import { DecodeError, NetworkError, NoRouteError, streamQuote, TimeoutError } from '../index.js'

function quoteEvent(amountOut: string): string {
  return `event: quote\nid: 1\ndata: ${JSON.stringify({ ...quoteBody, amountOut })}\n\n`
}
const end = 'event: end\ndata: {"reason":"time"}\n\n'

/** A stream in chunks of `size` bytes. */
function streamOf(text: string, size = 7): Response {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

async function collect(answers: Parameters<typeof serviceOf>[0], most = Number.POSITIVE_INFINITY) {
  const { asked, client } = serviceOf(answers)
  const amounts: bigint[] = []
  let error: unknown
  try {
    for await (const { amountOut } of streamQuote(client, trade))
      if (amounts.push(amountOut) === most) break
  } catch (thrown) {
    error = thrown
  }
  return { amounts, asked, error }
}

describe('streamQuote', () => {
  test('default: yields a quote for each event, in chunks of any size', async () => {
    const stream = streamOf(`${quoteEvent('5')}: still here\n\n${quoteEvent('6')}`)
    const { amounts, asked } = await collect([stream], 2)
    expect(amounts).toEqual([5n, 6n])
    expect(asked[0]!.url).toContain('/api/quote/stream?chain=base&')
    expect(asked[0]!.headers.get('accept')).toBe('text/event-stream')
  })

  test('behavior: opens the stream again after an `end` event', async () => {
    const answers = [streamOf(quoteEvent('5') + end), streamOf(quoteEvent('6'))]
    const { amounts, asked } = await collect(answers, 2)
    expect(amounts).toEqual([5n, 6n])
    expect(asked).toHaveLength(2)
  })

  test('error: an error event throws its typed error', async () => {
    const event = 'event: error\ndata: {"ok":false,"code":"no_route","error":"None."}\n\n'
    const { amounts, error } = await collect([streamOf(quoteEvent('5') + event)])
    expect(amounts).toEqual([5n])
    expect(error).toBeInstanceOf(NoRouteError)
  })

  test.each([
    ['an error response', failure('no_route', 422), NoRouteError],
    ['a body that is not a stream', json({ ok: true }), DecodeError],
    ['a stream that is cut off', streamOf(quoteEvent('5')), NetworkError],
    ['an event that is not JSON', streamOf('event: quote\ndata: {\n\n'), DecodeError],
    ['a broken connection', new TypeError('fetch failed'), NetworkError],
  ])('error: %s', async (_, answer, kind) => {
    expect((await collect([answer])).error).toBeInstanceOf(kind)
  })

  test('error: no response within timeoutMs', async () => {
    const { client } = serviceOf([() => new Promise<Response>(() => {})], { timeoutMs: 20 })
    await expect(streamQuote(client, trade).next()).rejects.toThrow(TimeoutError)
  })

  test('behavior: an abort rejects with its own reason', async () => {
    const { client } = serviceOf([() => new Promise<Response>(() => {})])
    const controller = new AbortController()
    const next = streamQuote(client, trade, { signal: controller.signal }).next()
    controller.abort('the user left')
    await expect(next).rejects.toBe('the user left')
  })
})
