import { connect } from 'node:net'
import { healthResponse } from '@sluice/api'
import { describe, expect, test } from 'vitest'
import { ask, askRaw, quotePath, startService } from '../test/harness.js'

describe('every response', () => {
  const paths = [
    '/',
    '/api/quote',
    '/api/quote/batch',
    '/api/health',
    '/api',
    '/nope',
    '/%',
    '/a//b',
  ]
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const cases = paths.flatMap((path) => methods.map((method) => [method, path] as const))

  test('behavior: JSON, open CORS and a request id, on every path and method', async () => {
    const { url } = await startService()
    for (const [method, path] of cases) {
      const { body, headers, status } = await ask(url + path, { method })
      expect([status, body]).toEqual([status, expect.objectContaining({ ok: status < 300 })])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      if (status < 300) continue
      expect(body).toMatchObject({
        code: expect.stringMatching(/^[a-z_]+$/),
        error: expect.any(String),
        requestId: headers.get('x-request-id'),
        retryable: false,
      })
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test.each([
    ['POST', '/api/quote', 405, 'method_not_allowed', 'OPTIONS, GET, HEAD'],
    ['GET', '/api/quote/batch', 405, 'method_not_allowed', 'OPTIONS, POST'],
    ['DELETE', '/api/health', 405, 'method_not_allowed', 'OPTIONS, GET, HEAD'],
    ['GET', '/nope', 404, 'not_found', null],
    ['POST', '/API/QUOTE', 404, 'not_found', null],
    ['GET', '/api/quote/', 404, 'not_found', null],
  ])('error: %s %s is %i', async (method, path, status, code, allow) => {
    const { url } = await startService()
    const answer = await ask(url + path, { method })
    expect(answer).toMatchObject({ status, body: { ok: false, code } })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test('behavior: preflight', async () => {
    const { url } = await startService()
    const answer = await fetch(`${url}/api/quote/batch`, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
    // A client's own headers (`createClient({ headers })`, a tracer's) must not fail in a browser.
    expect(answer.headers.get('access-control-allow-headers')).toBe('*')
  })

  test('behavior: pages of other origins may read the response headers', async () => {
    const { url } = await startService({ quoteRelay: 'off' })
    const { headers } = await ask(url + quotePath)
    const readable = headers.get('access-control-expose-headers')!.split(', ')
    for (const name of ['deprecation', 'link', 'x-request-id'])
      expect([name, headers.has(name), readable.includes(name)]).toEqual([name, true, true])
    expect(readable).toEqual(expect.arrayContaining(['allow', 'etag', 'retry-after', 'ratelimit']))
  })

  test('behavior: HEAD is GET without its body', async () => {
    const { url } = await startService()
    const answer = await fetch(url + quotePath, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  test.each([
    ['abcd_EFGH-12345678', true],
    ['short', false],
    ['has space in it', false],
    ['x'.repeat(65), false],
    ['<script>alert(1)</script>', false],
  ])('behavior: the request id %s is echoed: %s', async (id, isEchoed) => {
    const { url } = await startService()
    const { headers } = await ask(`${url}/nope`, { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id') === id).toBe(isEchoed)
  })

  test('behavior: no response depends on the host header', async () => {
    const { port } = await startService()
    const get = (host: string) =>
      askRaw(port, `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    const bodyOf = (answer: string) => answer.split('\r\n\r\n')[1]
    const answers = await Promise.all(
      ['localhost', 'evil.example', 'a b', '[::', '\u00ff'].map(get),
    )
    expect(new Set(answers.map(bodyOf)).size).toBe(1)
  })
})

describe('malformed and unusual HTTP', () => {
  const host = 'host: x\r\n'
  test.each([
    ['garbage', 'hello\r\n\r\n', 400, 'bad_request'],
    ['a bad header', `GET / HTTP/1.1\r\n${host}a b: c\r\n\r\n`, 400, 'bad_request'],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'length and chunks',
      `POST / HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
      400,
      'bad_request',
    ],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    [
      'endless headers',
      `GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(9_000)}\r\n\r\n`,
      431,
      'too_large',
    ],
    ['an endless URL', `GET /${'x'.repeat(2_048)} HTTP/1.1\r\n${host}\r\n`, 414, 'too_large'],
    ['an absolute target', `GET http://evil/ HTTP/1.1\r\n${host}\r\n`, 400, 'bad_request'],
    ['an asterisk target', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400, 'bad_request'],
    ['TRACE', `TRACE / HTTP/1.1\r\n${host}\r\n`, 405, 'method_not_allowed'],
    ['CONNECT', `CONNECT evil:443 HTTP/1.1\r\n${host}\r\n`, 405, 'method_not_allowed'],
    [
      'an upgrade',
      `GET /nope HTTP/1.1\r\n${host}connection: upgrade, close\r\nupgrade: websocket\r\n\r\n`,
      404,
      'not_found',
    ],
    [
      'an unknown expectation',
      `GET /api HTTP/1.1\r\n${host}expect: 200-ok\r\n\r\n`,
      417,
      'bad_request',
    ],
    ['two hosts', `GET /api/health HTTP/1.1\r\n${host}hOST: y\r\n\r\n`, 400, 'bad_request'],
    [
      'two hosts in a cached quote',
      `GET /api/quote/prepare?chain=base&in=WETH&out=USDC&amountIn=1 HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'malformed chunks',
      `POST /api/quote/batch HTTP/1.1\r\n${host}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    ['a backslash', `GET /a\\b HTTP/1.1\r\n${host}connection: close\r\n\r\n`, 400, 'bad_request'],
  ])('error: %s', async (_, bytes, status, code) => {
    const { port } = await startService()
    const answer = await askRaw(port, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head.toLowerCase()).toContain('access-control-allow-origin: *')
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(JSON.parse(body)).toMatchObject({ ok: false, code, requestId: expect.any(String) })
  })

  test('behavior: the server keeps running', async () => {
    const { port, url } = await startService()
    await Promise.all(Array.from({ length: 50 }, () => askRaw(port, '\0\0\0\r\n\r\n')))
    expect(await ask(`${url}/api/health`)).toMatchObject({ status: 200 })
  })

  test.each(['/api/quote/batch', '/api/quote/decode', '/mcp'])(
    'behavior: an aborted body of %s is not an internal error',
    async (path) => {
      const { log, port, url } = await startService()
      const head = `POST ${path} HTTP/1.1\r\n${host}content-type: application/json\r\n`
      const rest = ['transfer-encoding: chunked\r\n\r\nZZ\r\n', 'content-length: 9\r\n\r\n{']
      await askRaw(port, `${head}${rest[0]}`)
      const socket = connect(port, '127.0.0.1', () => socket.write(`${head}${rest[1]}`))
      await expect.poll(async () => (await ask(`${url}/api/health`)).status).toBe(200)
      socket.resetAndDestroy()
      await expect.poll(() => log.filter((line) => line.includes(`"${path}"`)).length).toBe(2)
      expect(log.filter((line) => line.includes('fault'))).toEqual([])
    },
  )

  test('behavior: closes connections whose headers never end', async () => {
    const { port } = await startService()
    const answer = await askRaw(port, 'GET / HTTP/1.1\r\nhost: x\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toContain('"code":"bad_request"')
  })
})

describe('GET /api/health', () => {
  test('default: reads memory only, without a call to the node', async () => {
    const { node, url } = await startService()
    await expect
      .poll(async () => (await ask(`${url}/api/health`)).body)
      .toMatchObject({
        chains: [{ probed: true }],
      })
    const before = node.requests
    const answers: Awaited<ReturnType<typeof ask>>[] = []
    for (let round = 0; round < 20; round++)
      answers.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => ask(`${url}/api/health`)))),
      )
    expect(answers).toHaveLength(1_000)
    expect(node.requests).toBe(before)
    expect(healthResponse.strict().parse(answers[0]!.body)).toEqual({
      ok: true,
      service: 'sluice',
      version: '1.0.0',
      now: expect.any(Number),
      chains: [
        {
          chainId: 8_453,
          name: 'Base',
          live: true,
          probed: true,
          head: 100,
          headAgeMs: expect.any(Number),
        },
      ],
    })
  })

  test('behavior: publishes the URLs of devnet nodes', async () => {
    const { node, url } = await startService({ publishRpc: true })
    expect((await ask(`${url}/api/health`)).body).toMatchObject({ chains: [{ rpc: node.url }] })
  })

  test('behavior: still lists a chain whose node is down', async () => {
    const { url } = await startService({ rpcUrls: new Map([[8_453, ['http://127.0.0.1:1']]]) })
    const { body, status } = await ask(`${url}/api/health`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ chains: [{ chainId: 8_453, live: true, probed: false }] })
  })
})
