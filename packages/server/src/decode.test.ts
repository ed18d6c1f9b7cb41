import { decodeBatchResponse, decodeResponse, type PrepareResponse } from '@sluice/api'
import { describe, expect, test, vi } from 'vitest'
import { answerOf, honestPlan } from '../../domain/test/answers.js'
import { tokens } from '../../domain/test/deployments.js'
import { ask, post, quotePath, startService } from '../test/harness.js'

const recipient = '0x00000000000000000000000000000000000000AA'
const path = `${quotePath.replace('/api/quote', '/api/quote/prepare')}&recipient=${recipient}`
const rpcUrls = new Map([[8_453, ['http://127.0.0.1:1']]])

/** The answer of an honest node. */
function answerNow() {
  const timestamp = BigInt(Math.floor(Date.now() / 1_000))
  return answerOf(honestPlan({ witness: { ...honestPlan().witness, timestamp } }))
}

async function start(changes = {}) {
  const { url } = await startService({ rpcUrls, ...changes })
  const { body } = await ask(url + path)
  const { request } = body as unknown as PrepareResponse
  return { url, request, decode: (content: unknown) => post(`${url}/api/quote/decode`, content) }
}

describe('POST /api/quote/decode', () => {
  test('default: returns the quote, the checks and the calldata', async () => {
    const { decode, request } = await start()
    const { body, headers, status } = await decode({ request, result: answerNow() })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(decodeResponse.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({
      ok: true,
      mode: 'preview',
      chainId: 8_453,
      tokenIn: tokens.weth,
      tokenOut: tokens.usdc,
      amountIn: '1000000',
      amountOut: '1994400',
      quote: { effectiveMinOut: '1973858', canExecute: true, legs: 4, hops: 2 },
      tx: { value: '0' },
      approval: { token: tokens.weth, amount: '1000000' },
      integrity: { bound: true, strict: true, arithmetic: true, witness: true },
      witness: { chainId: 8_453, blockNumber: '100' },
    })
    expect(JSON.stringify(body)).not.toMatch(/authentic/i)
  })

  test('behavior: accepts the whole JSON-RPC response as the result', async () => {
    // Deadlines depend on the clock, so both are decoded within the same second.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    const { decode, request } = await start()
    const result = answerNow()
    const plain = await decode({ request, result })
    const whole = await decode({ request, result: { jsonrpc: '2.0', id: 1, result } })
    expect(whole.body).toEqual(plain.body)
    clock.mockRestore()
  })

  test('behavior: items succeed and fail independently', async () => {
    const { decode, request } = await start()
    const result = answerNow()
    const items = [{ request, result }, { request, result: '0x' }, { result }, null]
    const { body, status } = await decode({ items })
    expect(status).toBe(200)
    const { count, results } = decodeBatchResponse.parse(body)
    expect(count).toBe(4)
    expect(results.map((each) => (each.ok ? 'ok' : each.code))).toEqual([
      'ok',
      'bad_result',
      'bad_request',
      'bad_body',
    ])
  })

  test('behavior: accepts 32 long answers', async () => {
    const { decode, request } = await start()
    const item = { request, result: answerNow() }
    const { body } = await decode({ items: Array(32).fill(item) })
    expect(body).toMatchObject({ ok: true, count: 32 })
  })

  test('error: names the field and the problem', async () => {
    const { decode, request } = await start()
    const result = answerNow()
    const codeOf = async (content: unknown) => {
      const { body, status } = await decode(content)
      return `${status} ${body['code']} ${JSON.stringify(body['details'] ?? null)}`
    }
    expect(await codeOf({ request, result: `${result}00` })).toBe(
      '400 bad_result [{"field":"result","code":"bad_result","reason":"strict"}]',
    )
    expect(await codeOf({ request, result: answerOf(honestPlan()) })).toMatch('200 undefined')
    expect(await codeOf({ request, result: 7 })).toMatch('400 bad_result')
    expect(await codeOf({ request, result: { error: { code: 3 } } })).toMatch(
      'an error of the node',
    )
    expect(await codeOf({ request })).toMatch('400 bad_result')
    expect(await codeOf({ result })).toMatch('400 bad_request')
    expect(await codeOf({ request: { ...request, amountIn: '7' }, result })).toBe(
      '400 bad_request null',
    )
    expect(await codeOf({ request: { ...request, extra: 1 }, result })).toMatch('400 bad_request')
    expect(await codeOf({ request, result, extra: 1 })).toMatch('400 bad_body')
    expect(await codeOf({ items: [] })).toMatch('400 bad_batch')
    expect(await codeOf({ items: Array(33).fill({ request, result }) })).toMatch('400 bad_batch')
    expect(await codeOf({ items: [], request })).toMatch('400 bad_batch')
    expect(await codeOf('[]')).toMatch('400 bad_body')
    expect(await codeOf('{')).toMatch('400 bad_body')
  })

  test('error: rejects an old block unless the chain is a devnet', async () => {
    const { decode, request } = await start({
      rpcUrls: new Map([[8_453, ['http://node.invalid']]]),
      maxBlockAge: 'auto',
    })
    const { body, status } = await decode({ request, result: answerOf(honestPlan()) })
    expect([status, body['code'], body['error']]).toEqual([
      400,
      'bad_result',
      '`result` fails the check "witness": its block is too old: ask a node that follows the chain.',
    ])
  })
})

describe('DIGEST_KEY', () => {
  const digestKey = 'a key of 16 characters or more'

  test('behavior: instances with the same key accept only each other’s requests', async () => {
    const ours = await start({ digestKey })
    const twin = await start({ digestKey })
    const other = await start()
    const result = answerNow()
    expect((await twin.decode({ request: ours.request, result })).status).toBe(200)
    const foreign = await twin.decode({ request: other.request, result })
    expect(foreign).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    const mac = `0x${'0'.repeat(64)}`
    const forged = await twin.decode({ request: { ...ours.request, mac }, result })
    expect(forged.body['error']).toContain('its `mac` is wrong')
  })
})
