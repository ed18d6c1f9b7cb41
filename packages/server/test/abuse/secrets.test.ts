import { createServer } from 'node:http'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, post, quotePath, startService } from '../harness.js'

const canary = 'CANARY_b1d5ecret'
const servers: { close: () => void }[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A node that repeats the keys that it was called with in all that it says. */
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

describe("A17: the operator's keys", () => {
  test('behavior: are in no answer, header, event, metric or log line', async () => {
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
      digestKey: `${canary}${canary}`,
      adminPort: 0,
      rateLimit: 1_000,
      rateBurst: 1_000,
      logLevel: 'trace',
    })
    const item = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1' }
    const seen: string[] = []
    const look = async (answer: Response | Promise<Response>) => {
      const { headers, status, text } = await Promise.resolve(answer).then(async (got) => ({
        headers: JSON.stringify([...got.headers]),
        status: got.status,
        text: await got.text(),
      }))
      seen.push(`${status} ${headers} ${text}`)
    }
    for (const path of [
      quotePath,
      `${quotePath}&exact=1`,
      `${quotePath}&verify=2`,
      quotePath.replace('quote', 'quote/stream'),
      quotePath.replace('quote', 'quote/prepare'),
      '/api/health',
      '/api',
      '/api/manifest',
      '/api/deployments',
      '/api/openapi.json',
      '/llms.txt',
      '/llms-full.txt',
      '/nope',
      '/',
    ])
      await look(fetch(url + path))
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ requests: [item] })
    for (const path of ['/api/quote/batch', '/api/quote/prepare', '/api/quote/decode'])
      await look(fetch(url + path, { method: 'POST', headers: json, body }))
    await look(fetch(`http://127.0.0.1:${adminPort}/metrics`))
    await look(fetch(`http://127.0.0.1:${adminPort}/readyz`))
    expect(seen[0]).toMatch(/^502 /)
    expect(log.join('')).toContain('node failed')
    for (const text of [...seen, ...log]) expect(text).not.toContain(canary)
  })
})

describe('A18: lines that a log does not have', () => {
  test('property: whatever comes, each line is one JSON object of plain characters', async () => {
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

  test('behavior: an answer has no headers that a caller made up', async () => {
    const { url } = await startService()
    const { headers } = await post(`${url}/api/quote/batch?a=%0d%0aset-cookie:%20x=1`, {})
    expect(headers.get('set-cookie')).toBeNull()
  })
})
