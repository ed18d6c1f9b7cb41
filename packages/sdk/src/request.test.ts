import { describe, expect, test } from 'vitest'
import { failure, json, quoteBody, serviceOf, trade } from '../test/service.js'
import {
  ApiError,
  DecodeError,
  decodeQuote,
  getHealth,
  getQuote,
  getQuotes,
  IntegrityError,
  InvalidParameterError,
  NetworkError,
  NoRouteError,
  RpcRequiredError,
  RpcUnreachableError,
  TimeoutError,
} from './index.js'

/** The error that a promise rejects with; undefined if it resolves. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('errors', () => {
  test.each([
    ['no_route', 422, NoRouteError],
    ['bad_amount_in', 400, InvalidParameterError],
    ['rpc_unreachable', 502, RpcUnreachableError],
    ['rpc_stale', 502, RpcUnreachableError],
    ['rpc_required', 400, RpcRequiredError],
    ['bad_result', 400, IntegrityError],
    ['some_later_code', 418, ApiError],
  ])('default: %s has its own error class', async (code, status, kind) => {
    const { client } = serviceOf([failure(code, status, { requestId: 'r-1' })], { retry: false })
    const error = (await errorOf(getQuote(client, trade))) as ApiError
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({ code, status, requestId: 'r-1', shortMessage: `It is ${code}.` })
  })

  test('behavior: an invalid parameter has its field, details and documentation', async () => {
    const details = [
      { field: 'slippageBps', code: 'bad_slippage_bps', reason: 'must be less' },
      { field: 'exact', code: 'bad_exact', reason: 'must be 1' },
    ]
    const docs = 'https://sluice.test/errors/bad_slippage_bps'
    const { client } = serviceOf([failure('bad_slippage_bps', 400, { details, docs })])
    const error = (await errorOf(getQuote(client, trade))) as InvalidParameterError
    expect(error).toMatchObject({ field: 'slippageBps', details, docs, retryable: false })
    expect(error.message).toBe(`It is bad_slippage_bps.\nDocs: ${docs}`)
  })

  test('behavior: rpc_required has the prepared call', async () => {
    const prepared = { ok: true, mode: 'prepare', call: { to: '0x00', data: '0x01' } }
    const { client } = serviceOf([failure('rpc_required', 400, { prepared })])
    const error = (await errorOf(getQuote(client, trade))) as RpcRequiredError
    expect(error.prepared).toEqual(prepared)
  })

  test('behavior: bad_result names the failed check', async () => {
    const details = [{ field: 'result', code: 'bad_result', reason: 'witness' }]
    const { client } = serviceOf([failure('bad_result', 400, { details })])
    expect(await errorOf(getQuote(client, trade))).toMatchObject({ check: 'witness' })
  })

  test('behavior: null members count as absent', async () => {
    const nulls = { details: null, requestId: null, docs: null, retryable: null, prepared: null }
    const { client } = serviceOf([failure('no_route', 422, nulls)])
    expect(await errorOf(getQuote(client, trade))).toMatchObject({
      details: [],
      requestId: undefined,
      docs: undefined,
      retryable: false,
    })
  })

  test('error: a gateway that responds without JSON', async () => {
    const { client } = serviceOf([new Response('<html>', { status: 504 })])
    const error = await errorOf(getQuote(client, trade))
    expect(error).toMatchObject({ name: 'ApiError', code: 'http_504', status: 504 })
  })

  test.each([
    ['<html>', 'The response is not JSON.'],
    ['{}', 'The response has no `ok: true`.'],
    ['null', 'The response has no `ok: true`.'],
    ['{"ok":true}', 'The response is not a complete quote.'],
    [
      JSON.stringify({ ...quoteBody, amountOut: 5 }),
      'The response has an invalid amount in `amountOut`.',
    ],
    [
      JSON.stringify({ ...quoteBody, amountOut: '' }),
      'The response has an invalid amount in `amountOut`.',
    ],
    [JSON.stringify({ ...quoteBody, amountOut: null }), 'The response is not a complete quote.'],
  ])('error: %s is not a quote', async (text, message) => {
    const { client } = serviceOf([new Response(text)])
    const error = (await errorOf(getQuote(client, trade))) as DecodeError
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.shortMessage).toBe(message)
  })

  test('behavior: walk finds the cause', async () => {
    const cause = new TypeError('fetch failed')
    const { client } = serviceOf([cause], { retry: false })
    const error = (await errorOf(getQuote(client, trade))) as NetworkError
    expect(error).toBeInstanceOf(NetworkError)
    expect(error.walk((each) => each instanceof TypeError)).toBe(cause)
    expect(error.walk()).toBe(cause)
    expect(error.walk((each) => each instanceof RangeError)).toBeNull()
  })
})

describe('retries', () => {
  test.each([429, 502, 503])('default: sends a GET again after %i', async (status) => {
    const { asked, client } = serviceOf([failure('overloaded', status), json(quoteBody)])
    expect((await getQuote(client, trade)).amountOut).toBe(9_007_199_254_740_993n)
    expect(asked).toHaveLength(2)
  })

  test('behavior: retries a broken connection at most twice', async () => {
    const { asked, client } = serviceOf([new TypeError('fetch failed')])
    expect(await errorOf(getQuote(client, trade))).toBeInstanceOf(NetworkError)
    expect(asked).toHaveLength(3)
  })

  test.each([400, 404, 422, 500, 504])('behavior: does not retry after %i', async (status) => {
    const { asked, client } = serviceOf([failure('internal', status)])
    await errorOf(getQuote(client, trade))
    expect(asked).toHaveLength(1)
  })

  test('behavior: sends a batch of quotes only once', async () => {
    const { asked, client } = serviceOf([failure('overloaded', 503)])
    await errorOf(getQuotes(client, [trade]))
    expect(asked).toHaveLength(1)
  })

  test('behavior: retries decode', async () => {
    const { asked, client } = serviceOf([failure('overloaded', 503), json(quoteBody)])
    await decodeQuote(client, { request: {} as never, result: '0x' })
    expect(asked).toHaveLength(2)
  })

  test('behavior: does not retry if Retry-After exceeds the timeout, and returns it in the error', async () => {
    const busy = json({ ok: false, code: 'rate_limited', error: 'Slow down.' }, 429, {
      'retry-after': '3600',
    })
    const { asked, client } = serviceOf([busy])
    const error = await errorOf(getQuote(client, trade))
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000, retryable: true })
    expect(asked).toHaveLength(1)
  })

  test('behavior: reads a Retry-After that is a date', async () => {
    const past = json({ ok: false, code: 'rate_limited', error: 'Slow down.' }, 429, {
      'retry-after': new Date(0).toUTCString(),
    })
    const { asked, client } = serviceOf([past, json(quoteBody)])
    await getQuote(client, trade)
    expect(asked).toHaveLength(2)
  })
})

describe('time', () => {
  const never = () => new Promise<Response>(() => {})

  test('error: no response within timeoutMs', async () => {
    const { client } = serviceOf([never], { timeoutMs: 20 })
    const error = await errorOf(getQuote(client, trade))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ code: 'timeout', retryable: true })
  })

  test('behavior: an abort rejects with its own reason', async () => {
    const { client } = serviceOf([never])
    const controller = new AbortController()
    const promise = errorOf(getQuote(client, trade, { signal: controller.signal }))
    controller.abort('the user left')
    expect(await promise).toBe('the user left')
  })

  test('behavior: an abort ends the wait between two attempts', async () => {
    const { asked, client } = serviceOf([failure('overloaded', 503)], {
      retry: { baseDelayMs: 1e9 },
      timeoutMs: 2 ** 31 - 1,
    })
    const controller = new AbortController()
    const promise = errorOf(getQuote(client, trade, { signal: controller.signal }))
    setTimeout(() => controller.abort('the user left'), 20)
    expect(await promise).toBe('the user left')
    expect(asked).toHaveLength(1)
  })
})

describe('hooks and headers', () => {
  test('default: calls the hooks for each attempt, with the request id', async () => {
    const events: unknown[] = []
    const { asked, client } = serviceOf(
      [failure('overloaded', 503), json({ ok: true }, 200, { 'x-request-id': 'r-2' })],
      {
        headers: { 'x-app': 'wallet' },
        onRequest: ({ attempt, method, url }) => events.push([method, url, attempt]),
        onResponse: ({ requestId, status }) => events.push([status, requestId]),
      },
    )
    await getHealth(client)
    expect(events).toEqual([
      ['GET', 'http://sluice.test/api/health', 1],
      [503, undefined],
      ['GET', 'http://sluice.test/api/health', 2],
      [200, 'r-2'],
    ])
    expect(asked[0]!.headers.get('x-app')).toBe('wallet')
  })
})
