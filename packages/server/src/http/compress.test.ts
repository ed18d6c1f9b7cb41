import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { quotePath, startService } from '../../test/harness.js'
import { encodingFor } from './compress.js'

describe('encodingFor', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0', undefined],
    [`gzip, ${'x'.repeat(300)}`, undefined],
  ])('default: of %j it is %j', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding)
  })
})

type Got = { status: number; headers: Record<string, string | undefined>; body: Buffer }

/** A client that does not decompress. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers as Got['headers'],
          body: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

describe('responses', () => {
  const paths = [
    '/',
    '/api/openapi.json',
    '/api/abi?contract=router',
    '/llms-full.txt',
    '/solvency',
  ]
  const same = (body: Buffer) =>
    `${body}`.replace(
      /"(quotedAt|latencyMs|rpcTried|preparedAt|expiresAt)":\d+|"(cache|digest)":"\w+"|<time.*?time>/g,
      '',
    )

  test.each(['br', 'gzip'] as const)(
    'default: documents above 1 kB and fresh responses above 4 kB in %s, if the client accepts it',
    async (encoding) => {
      const { url } = await startService({ headFreshMs: 60_000 })
      for (const path of paths) {
        const accept = { accept: 'text/html' }
        const plain = await get(url + path, accept)
        const packed = await get(url + path, { ...accept, 'accept-encoding': encoding })
        expect([path, plain.headers['content-encoding']]).toEqual([path, undefined])
        expect([path, packed.headers['content-encoding']]).toEqual([path, encoding])
        expect([path, packed.headers['content-length']]).toEqual([path, `${packed.body.length}`])
        expect(packed.body.length).toBeLessThan(plain.body.length)
        expect(same(unpack[encoding](packed.body))).toBe(same(plain.body))
        for (const { headers } of [plain, packed])
          expect(headers['vary']).toContain('accept-encoding')
      }
    },
  )

  test('behavior: each encoding has its own tag, and each tag gives 304', async () => {
    const { url } = await startService()
    const path = `${url}/api/openapi.json`
    const tags = await Promise.all(
      ['identity', 'br', 'gzip'].map(async (encoding) => {
        const { headers } = await get(path, { 'accept-encoding': encoding })
        return headers['etag']!
      }),
    )
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) {
      const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': `W/${tag}` })
      expect([again.status, again.headers['etag'], again.body.length]).toEqual([304, tag, 0])
    }
    const other = await get(path, { 'if-none-match': '"x-br"' })
    expect(other.status).toBe(200)
  })

  test('behavior: does not compress small responses, those without body, and streams', async () => {
    const { url } = await startService()
    const accepting = { 'accept-encoding': 'br, gzip' }
    // They arrive as early, and decompressing one costs its caller more than reading it.
    for (const path of [quotePath, quotePath.replace('quote', 'quote/prepare')]) {
      const { body, headers } = await get(url + path, accepting)
      expect([path, body.length > 1_024, headers['content-encoding']]).toEqual([
        path,
        true,
        undefined,
      ])
    }
    const small = await get(`${url}/api/health`, accepting)
    const head = await get(`${url}/api/openapi.json`, accepting, 'HEAD')
    const none = await get(`${url}/made-up`, accepting)
    for (const { headers } of [small, head, none])
      expect(headers['content-encoding']).toBeUndefined()
    const leaving = new AbortController()
    const stream = await fetch(`${url}${quotePath.replace('quote', 'quote/stream')}`, {
      signal: leaving.signal,
    })
    expect(stream.headers.get('content-encoding')).toBeNull()
    leaving.abort()
  })
})
