import { describe, expect, test } from 'vitest'
import { quotePath, startService } from '../test/harness.js'

const prepare = '/api/quote/prepare?chain=base&in=WETH&out=USDC&amountIn=1000000'
const recipient = '0x00000000000000000000000000000000000a11ce'
const headers = { 'x-request-id': 'one-and-the-same' }

/** Without what is said of time, which goes on between two answers, and with it from where they come. */
const timeless = (text: string) =>
  text
    .replace(/"(quotedAt|latencyMs|rpcTried|preparedAt|expiresAt)":\d+/g, '"$1":0')
    .replace(/"(digest|cache)":"\w+"/g, '"$1":""')

async function answerOf(url: string, method = 'GET') {
  const answer = await fetch(url, { method, headers })
  const { 'content-length': length, ...rest } = Object.fromEntries(answer.headers)
  const text = await answer.text()
  if (method === 'GET') expect(length).toBe(`${Buffer.byteLength(text)}`)
  const own = Object.entries(rest).filter(([name]) => !/^(date|keep-alive|ratelimit.*)$/.test(name))
  return [answer.status, Object.fromEntries(own), timeless(text)]
}

describe('the quick lane', () => {
  test('default: gives the answers of the app, header by header and byte by byte', async () => {
    const quick = await startService({ logLevel: 'silent' })
    // With a limit, every request goes through the app.
    const whole = await startService({ logLevel: 'silent', rateLimit: 9_999, rateBurst: 9_999 })
    const paths = [
      prepare,
      `${prepare}&recipient=${recipient}&slippageBps=50&deadlineSec=60`,
      `${prepare}&exact=1`,
      `${prepare}&slippageBps=5001`,
      prepare.replace('WETH', '%57ETH'),
      `${prepare}&amountIn=2`,
      '/api/quote/prepare?',
      '/api/quote/prepare',
      quotePath,
      quotePath,
      `${quotePath}&slippageBps=7`,
      '/api/quotes?a=1',
    ]
    for (const path of paths)
      for (const method of ['GET', 'HEAD'])
        expect(await answerOf(quick.url + path, method), path).toEqual(
          await answerOf(whole.url + path, method),
        )
  })

  test('behavior: is seen in the log and the metrics like every other answer', async () => {
    const { adminPort, log, url } = await startService({ adminPort: 0 })
    await (await fetch(url + prepare, { headers })).text()
    const line = log.map((text) => JSON.parse(text)).find(({ path }) => path?.includes('prepare'))
    expect(line).toMatchObject({
      method: 'GET',
      path: '/api/quote/prepare',
      requestId: headers['x-request-id'],
      status: 200,
    })
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    expect(metrics).toMatch(/duration_seconds_count\{[^}]*prepare[^}]*"200"[^}]*\} 1/)
  })
})
