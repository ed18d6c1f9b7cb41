import { describe, expect, test } from 'vitest'
import { type Service, startService } from '../test/harness.js'

const trade = { chain: 'base', in: 'WETH', out: 'USDC', amount: '1000000', amountUnit: 'base' }

/** Asks for a quote as an older client would, without a handshake; gives what the tool said. */
async function getQuote({ url }: Service, headers: Record<string, string>) {
  const params = { name: 'get_quote', arguments: trade }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  const text = await response.text()
  const body = JSON.parse(text.replace(/^[^{]*/, ''))
  return JSON.parse(body.result.content[0].text) as { ok: boolean; code?: string }
}

describe('/mcp', () => {
  test('behavior: what tools ask counts against whoever called them', async () => {
    const trustedProxies = ['127.0.0.0/8']
    const service = await startService({ rateLimit: 1, rateBurst: 1, trustedProxies })
    const from = (address: string) => getQuote(service, { 'x-forwarded-for': address })
    expect(await from('192.0.2.1')).toMatchObject({ ok: true })
    expect(await from('192.0.2.1')).toMatchObject({ ok: false, code: 'rate_limited' })
    expect(await from('192.0.2.2')).toMatchObject({ ok: true })
  })

  test('behavior: GET and DELETE hold no session', async () => {
    const { url } = await startService()
    const statuses = ['GET', 'DELETE'].map(async (method) => {
      const { status } = await fetch(`${url}/mcp`, { method })
      return status
    })
    expect(await Promise.all(statuses)).toEqual([405, 405])
  })
})
