import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, quotePath, type Service, startService } from '../../test/harness.js'

const request = 'GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n'

/**
 * Sends `count` requests, each `ahead` positions before its response is due. Returns whether the service closed the
 * connection.
 */
function converse(port: number, { ahead, count }: { ahead: number; count: number }) {
  return new Promise<{ heads: string[]; isEnded: boolean }>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => send(ahead))
    let text = ''
    let sent = 0
    let isEnded = false
    const send = (upTo: number) => {
      const due = Math.min(upTo, count) - sent
      sent += due
      socket.write(request.repeat(due))
    }
    socket.on('data', (chunk) => {
      text += chunk
      const answers = text.split('"ok":').length - 1
      if (answers < count) send(answers + ahead)
      // Time in which the service could close it.
      else setTimeout(() => socket.end(), 200)
    })
    socket.on('end', () => {
      isEnded = !socket.writableEnded
    })
    socket.on('close', () =>
      resolve({ heads: text.match(/HTTP\/1\.1 .*?\r\n\r\n/gs) ?? [], isEnded }),
    )
    socket.on('error', reject)
  })
}

const closing = /^connection: close\r$/im
const isSuccess = (head: string) => head.startsWith('HTTP/1.1 200 ')

test('default: the thousandth response closes its connection, and says so', async () => {
  const { port } = await startService({ logLevel: 'silent' })
  const { heads, isEnded } = await converse(port, { ahead: 1, count: 1_000 })
  expect(heads.filter(isSuccess)).toHaveLength(1_000)
  expect(heads.findIndex((head) => closing.test(head))).toBe(999)
  expect(isEnded).toBe(true)
})

test('behavior: pipelined requests are not lost', async () => {
  const { port } = await startService({ logLevel: 'silent' })
  const { heads, isEnded } = await converse(port, { ahead: 10, count: 2_100 })
  expect(heads.filter(isSuccess)).toHaveLength(2_100)
  expect([heads.some((head) => closing.test(head)), isEnded]).toEqual([false, false])
})

/** A client that neither reads nor closes, from any loopback address; half-open like a hostile one. */
function hold(port: number, { bytes = '', from = '127.0.0.1', isRead = false } = {}): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
  socket.on('error', () => {})
  if (isRead) socket.resume()
  else socket.pause()
  if (bytes !== '') socket.write(bytes)
  held.push(socket)
  return socket
}

const held: Socket[] = []

afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy()
})

async function metric({ adminPort }: Service, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  const sums = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
  return sums.reduce((sum, [, value]) => sum + Number(value), 0)
}

const patient = { timeout: 15_000 }
const large = 'GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'

describe('clients that never close', () => {
  test.each([
    ['says nothing', ''],
    ['stops in the middle of its headers', 'GET /api/health HTTP/1.1\r\nx: '],
    ['sends what is not HTTP', 'x\r\n\r\n'],
    [
      'asks to close and does not',
      'GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    ],
    ['asks once and waits', request],
  ])('behavior: closes a socket that %s', async (_, bytes) => {
    const service = await startService({ adminPort: 0, logLevel: 'silent' })
    const sockets = Array.from({ length: 20 }, () => hold(service.port, { bytes }))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    await expect.poll(() => metric(service, 'sluice_connections'), patient).toBe(0)
  })

  test('behavior: a half-closed connection is closed', async () => {
    const service = await startService({ adminPort: 0, logLevel: 'silent' })
    for (let count = 0; count < 20; count++) hold(service.port, { bytes: 'GET /' }).end()
    await expect.poll(() => metric(service, 'sluice_connections'), patient).toBe(0)
  })

  test('behavior: a client that reads nothing is disconnected, and its pipelined requests are not started', async () => {
    const service = await startService({ adminPort: 0, logLevel: 'silent' })
    for (let count = 0; count < 10; count++) hold(service.port, { bytes: large.repeat(60) })
    const cut = () => metric(service, 'sluice_connections_cut_total')
    await expect.poll(cut, patient).toBe(10)
    await expect.poll(() => metric(service, 'sluice_connections'), patient).toBe(0)
    // The system buffers some responses of 200 kB for each connection; 600 were requested.
    const answered = await metric(service, 'http_server_request_duration_seconds_count')
    expect(answered).toBeLessThan(400)
  })

  test('behavior: a client that pipelines too many requests is disconnected at once', async () => {
    const service = await startService({ adminPort: 0, logLevel: 'silent' })
    hold(service.port, { bytes: large.repeat(300) })
    const cut = () => metric(service, 'sluice_connections_cut_total')
    await expect.poll(cut, patient).toBe(1)
  })
})

describe('pipelined requests', () => {
  const flood = 'GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_400)

  test('behavior: excess pipelined requests are dropped without creating errors', async () => {
    const service = await startService({ adminPort: 0, logLevel: 'silent' })
    const cut = () => metric(service, 'sluice_connections_cut_total')
    let errors = 0
    const { prepareStackTrace } = Error
    // Node formats the stack of every error that ends a request, which costs more than the request.
    Error.prepareStackTrace = (error, frames) => {
      if (error.message === 'aborted') errors++
      return prepareStackTrace?.(error, frames) ?? String(error)
    }
    try {
      for (let count = 0; count < 3; count++) hold(service.port, { bytes: flood, isRead: true })
      await expect.poll(cut, patient).toBe(3)
      await expect.poll(() => metric(service, 'sluice_connections'), patient).toBe(0)
    } finally {
      Object.assign(Error, { prepareStackTrace })
    }
    // The request of each connection that was being answered.
    expect(errors).toBeLessThanOrEqual(3)
    const answered = await metric(service, 'http_server_request_duration_seconds_count')
    expect(answered).toBeLessThan(100)
  })

  test('behavior: delays the next connections of such an address, and no others', async () => {
    const service = await startService({ adminPort: 0, logLevel: 'silent' })
    const cut = () => metric(service, 'sluice_connections_cut_total')
    for (let count = 0; count < 20; count++)
      hold(service.port, { bytes: flood, from: '127.0.0.2', isRead: true })
    await expect.poll(cut, patient).toBeGreaterThan(0)
    expect((await converseFrom(service.port, '127.0.0.1'))[0]).toMatch(/^HTTP\/1.1 200 /)
    // No other client is refused because of it.
    expect((await converseFrom(service.port, '127.0.0.2'))[0]).toMatch(/^HTTP\/1.1 200 /)
  })
})

test('behavior: reads a crowd of new connections a few at a time', async () => {
  const service = await startService({ adminPort: 0, logLevel: 'silent' })
  // All of them have connected before the process, which is blocked until then, accepts the first.
  const sockets = Array.from({ length: 200 }, () =>
    hold(service.port, { bytes: request, isRead: true }),
  )
  const answeredAt: number[] = []
  for (const socket of sockets) socket.once('data', () => answeredAt.push(performance.now()))
  await expect.poll(() => answeredAt.length, patient).toBe(200)
  // 32 at once and then every 10 ms: timers may be late, and never early.
  expect(answeredAt[199]! - answeredAt[0]!).toBeGreaterThanOrEqual(40)
})

describe('room for others', () => {
  test('behavior: silent sockets make room, also for their own address', async () => {
    const connections = { max: 40, maxPerAddress: 30 }
    const service = await startService({ adminPort: 0, logLevel: 'silent', connections })
    for (let count = 0; count < 60; count++) hold(service.port, { from: '127.0.0.2' })
    const evicted = () => metric(service, 'sluice_connections_cut_total')
    await expect.poll(evicted, patient).toBe(30)
    for (const from of ['127.0.0.2', '127.0.0.1', '127.0.0.3'])
      expect((await converseFrom(service.port, from))[0]).toMatch(/^HTTP\/1.1 200 /)
  })

  test('behavior: connections that are being answered are not closed', async () => {
    const connections = { max: 40, maxPerAddress: 2 }
    const service = await startService({ adminPort: 0, logLevel: 'silent', connections })
    service.node.delayMs = 1_000
    const asked = [1, 2].map((count) => ask(`${service.url}${quotePath}${count}`))
    await expect.poll(() => service.node.calls.get('eth_call') ?? 0, patient).toBe(2)
    await expect(converseFrom(service.port, '127.0.0.1')).resolves.toEqual([])
    expect((await converseFrom(service.port, '127.0.0.2'))[0]).toMatch(/^HTTP\/1.1 200 /)
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('behavior: a trusted proxy may have more connections than an address', async () => {
    const service = await startService({
      adminPort: 0,
      logLevel: 'silent',
      connections: { max: 40, maxPerAddress: 2 },
      trustedProxies: ['127.0.0.2/32'],
    })
    for (let count = 0; count < 10; count++) hold(service.port, { from: '127.0.0.2' })
    await expect.poll(() => metric(service, 'sluice_connections'), patient).toBe(10)
  })
})

/** The heads of the responses to a request. */
function converseFrom(port: number, from: string): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    let text = ''
    socket.on('error', () => {})
    socket.on('close', () => resolve(text.match(/HTTP\/1\.1 .*?\r\n\r\n/gs) ?? []))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  })
}
