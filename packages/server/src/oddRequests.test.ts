import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { quotePath, startService } from '../test/harness.js'
import { streamLimits } from './limits/Streams.js'

const host = 'host: x\r\n'
const json = 'content-type: application/json\r\n'
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`
const last = get('/api/health', 'connection: close\r\n')
const post = (body: string, more = '') =>
  `POST /api/quote/batch HTTP/1.1\r\n${host}${json}${more}content-length: ${body.length}\r\n\r\n${body}`
const chunked = (body: string, extension = '', trailers = '') =>
  `POST /api/quote/batch HTTP/1.1\r\n${host}${json}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}${extension}\r\n${body}\r\n0\r\n${trailers}\r\n`

/** Sends raw bytes, and returns the status of each response until the service closes the connection. */
async function statusesOf(url: string, bytes: string): Promise<number[]> {
  const text = await answersTo(url, bytes)
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

async function answersTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
  return text
}

test.each<[name: string, bytes: string, statuses: number[]]>([
  ['HTTP/1.0 without a host', 'GET /api/health HTTP/1.0\r\n\r\n', [200]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['a version that does not exist', `GET / HTTP/3.7\r\n${host}\r\n`, [400]],
  ['the first bytes of TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1', [400]],
  ['chunks with extensions', chunked('{}', ';a=b;c="d e"') + last, [400, 200]],
  ['a chunk extension without end', chunked('{}', `;${'x'.repeat(20_000)}`), [400]],
  ['a trailer', chunked('{}', '', 'x-more: y\r\n') + last, [400, 200]],
  ['a length among the trailers', chunked('{}', '', 'content-length: 9\r\n'), [400]],
  ['a length beside chunks', chunked('{}').replace(json, `${json}content-length: 3\r\n`), [400]],
  ['two lengths', post('{}', 'content-length: 3\r\n'), [400]],
  ['500 headers', get('/api/health', `${'a: b\r\n'.repeat(500)}connection: close\r\n`), [200]],
  ['a second host behind 1,100 headers', get('/', `${'a:\r\n'.repeat(1_100)}${host}`), [400]],
  ['a folded header', get('/', 'a: b\r\n c\r\n'), [400]],
  ['lines without carriage returns', 'GET /api/health HTTP/1.1\nhost: x\n\n', [400]],
  ['NUL in a path', get('/\0'), [400]],
  ['a bad percent escape', get('/%zz') + last, [404, 200]],
  ['a bad percent escape in a query', get('/api/quote?in=%zz') + last, [400, 200]],
  ['a path with ..', get('/..%2f..%2fetc/passwd') + last, [404, 200]],
  ['an absolute URL', get('http://other.example/api/health'), [400]],
  ['an authority', get('other.example:80'), [400]],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, [400]],
  ['CONNECT', `CONNECT other.example:80 HTTP/1.1\r\n${host}\r\n`, [405]],
  ['Expect: 100-continue', post('{}', 'expect: 100-continue\r\n') + last, [100, 400, 200]],
  ['another expectation', post('{}', 'expect: tea\r\n'), [417]],
  [
    'a body that is not read, followed by a request',
    `POST /nope HTTP/1.1\r\n${host}content-length: 90000\r\n\r\n${'a'.repeat(90_000)}${last}`,
    [404, 200],
  ],
  [
    'GET, POST, HEAD and OPTIONS at once',
    get('/api/health') +
      post('{}') +
      get(quotePath) +
      chunked('{}') +
      `HEAD /api/health HTTP/1.1\r\n${host}\r\n` +
      `OPTIONS /api/quote HTTP/1.1\r\n${host}\r\n` +
      last,
    [200, 400, 200, 400, 200, 204, 200],
  ],
])('behavior: %s', async (_, bytes, statuses) => {
  const { url } = await startService()
  expect(await statusesOf(url, bytes)).toEqual(statuses)
})

test('behavior: ignores an upgrade, and closes its connection after the response', async () => {
  const { url } = await startService()
  const answer = await answersTo(
    url,
    get('/api/health', 'connection: Upgrade\r\nupgrade: h2c\r\n') + last,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
})

test('behavior: HEAD of a stream does not count as a stream', async () => {
  const { url } = await startService({ stream: { ...streamLimits, maxPerAddress: 1 } })
  const head = `HEAD /api/quote/stream?${quotePath.split('?')[1]} HTTP/1.1\r\n${host}\r\n`
  expect(await statusesOf(url, head.repeat(3) + last)).toEqual([200, 200, 200, 200])
})
