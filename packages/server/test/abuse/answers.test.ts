import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ask, askRaw, quotePath, startService } from '../harness.js'

const documents = [
  '/',
  '/api',
  '/api/manifest',
  '/api/deployments',
  '/api/abi',
  '/api/openapi.json',
  '/llms.txt',
]

describe('responses cannot run in a browser', () => {
  test('behavior: every response has a type and nosniff; no page contains inline scripts or JSON', async () => {
    const { url } = await startService()
    for (const path of [...documents, '/api/health', quotePath, '/nope', '/<script>']) {
      const answer = await fetch(url + path)
      const type = answer.headers.get('content-type') ?? ''
      expect(type).toMatch(/^(application\/(linkset\+)?json|text\/(plain|html))/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      if (type.startsWith('text/html')) expect(await answer.text()).not.toMatch(/<script/i)
    }
  })
})

const agent = new Agent({ keepAlive: true, maxSockets: 20 })

/** Like `fetch`, at a fraction of its cost. */
function getQuickly(url: string, headers: Record<string, string>) {
  type Got = { status: number; headers: IncomingHttpHeaders; text: string }
  return new Promise<Got>((resolve, reject) => {
    const ask = () => {
      const sent = request(url, { agent, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        )
      })
      // A kept connection may be closed just as it is used.
      sent.on('error', (error) => (sent.reusedSocket ? ask() : reject(error)))
      sent.end()
    }
    ask()
  })
}

describe('input of one caller never appears in responses to others', () => {
  const names = [
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-original-url',
    'x-rewrite-url',
    'forwarded',
    'accept',
  ]
  const more = [
    'accept-language',
    'cookie',
    'authorization',
    'origin',
    'referer',
    'user-agent',
    'via',
    'x-http-method-override',
  ]
  const headers = fc.dictionary(
    fc.constantFrom(...names, ...more, 'if-modified-since', 'range', 'x-foo'),
    fc.stringMatching(/^[ -~]{1,40}$/).map((text) => text.trim() || 'a'),
    { maxKeys: 6 },
  )

  test('property: the same bytes, whatever headers the request has', async () => {
    const { url } = await startService({ headFreshMs: 60_000 })
    // Legs name their venues once these were read.
    await getQuickly(`${url}/api/sources?chain=base`, {})
    const read = async (path: string, sent: Record<string, string> = {}) => {
      const { headers: got, status, text } = await getQuickly(url + path, sent)
      const same = text.replace(/"(quotedAt|latencyMs|rpcTried)":\d+|"cache":"\w+"/g, '')
      const kept = ['content-type', 'etag', 'vary', 'access-control-allow-origin']
      return [status, same, ...kept.map((name) => got[name])]
    }
    const paths = [quotePath, '/api/manifest', '/api/abi?contract=router', '/api']
    const plain = new Map<string, unknown>()
    for (const path of paths) plain.set(path, await read(path))
    const sets = fc.array(headers, { minLength: 20, maxLength: 20 })
    const property = fc.asyncProperty(fc.constantFrom(...paths), sets, async (path, all) => {
      for (const answer of await Promise.all(all.map((sent) => read(path, sent))))
        expect(answer).toEqual(plain.get(path))
    })
    // Ten thousand sets of headers.
    await fc.assert(property, { numRuns: 500, seed: 16 })
  }, 180_000)

  test('behavior: equal queries share a cache entry, and other methods do not', async () => {
    const { node, url } = await startService({ headFreshMs: 60_000 })
    const words = [
      'chain=base&in=WETH&out=USDC&amountIn=1000000',
      'amountIn=1000000&out=usdc&in=weth&chain=8453',
      'chain=base&in=0x4200000000000000000000000000000000000006&out=USDC&amountIn=01000000',
    ]
    const caches: unknown[] = []
    for (const query of words) {
      const { body } = await ask(`${url}/api/quote?${query}`)
      caches.push((body as { meta?: { cache: string } }).meta?.cache ?? body['code'])
    }
    expect(caches).toEqual(['miss', 'hit', 'hit'])
    expect(node.calls.get('eth_call')).toBe(1)
    const get = await fetch(`${url}/api/quote?${words[0]}`)
    const kept = await get.text()
    const head = await fetch(`${url}/api/quote?${words[0]}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      get.headers.get('content-type'),
      '',
    ])
    const options = await fetch(`${url}/api/quote?${words[0]}`, { method: 'OPTIONS' })
    expect([options.status, await options.text()]).toEqual([204, ''])
    expect((await ask(`${url}/api/quote?${words[0]}`, { method: 'POST' })).status).toBe(405)
    const again = await (await fetch(`${url}/api/quote?${words[0]}`)).text()
    const same = (text: string) => text.replaceAll(/"(quotedAt|latencyMs)":\d+/g, '')
    expect(same(again)).toBe(same(kept))
  })

  test('behavior: errors are not cached', async () => {
    const { url } = await startService()
    for (const path of ['/nope', '/api/quote', `${quotePath}&x=1`, '/api/abi?contract=x'])
      expect((await ask(url + path)).headers.get('cache-control')).toBe('no-store')
  })
})

describe('the host header', () => {
  test('behavior: appears in no response and changes none', async () => {
    const { port } = await startService()
    const read = async (path: string, host: string) => {
      const answer = await askRaw(
        port,
        `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
      )
      return answer.slice(answer.indexOf('\r\n\r\n'))
    }
    for (const path of documents) {
      const told = await read(path, `127.0.0.1:${port}`)
      for (const host of ['evil.example', 'evil.example:1', '[::1]', 'a"b', '<script>'])
        expect([path, host, await read(path, host)]).toEqual([path, host, told])
    }
  })
})
