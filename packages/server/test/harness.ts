import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach } from 'vitest'
import { deployments } from '../../domain/test/deployments.js'
import { type FakeNode, startFakeNode } from '../../engine/test/fakeNode.js'
import { type RunningServer, type ServerConfig, startServer } from '../src/index.js'

export type Service = RunningServer & { node: FakeNode; log: string[] }

const stops: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Starts the service for Base on a fake node; both stop with the test. */
export async function startService(changes: Partial<ServerConfig> = {}): Promise<Service> {
  const node = await startFakeNode({ chainId: 8_453n })
  stops.push(node.close)
  const log: string[] = []
  const server = await startServer(
    {
      deployments,
      rpcUrls: new Map([[8_453, [node.url]]]),
      port: 0,
      headFreshMs: 1_000,
      maxBlockAge: 'off',
      // A machine that is busy with other tests must not count as overload.
      maxLoopDelayMs: 0,
      ...changes,
    },
    { logDestination: { write: (line) => log.push(line) } },
  )
  stops.push(server.stop)
  return { ...server, node, log }
}

export const quotePath = '/api/quote?chain=base&in=WETH&out=USDC&amountIn=1000000'

export type Answer = {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export async function ask(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  }
}

export function post(url: string, body: unknown): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return ask(url, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } })
}

/** Sends raw bytes and returns the raw response. */
export function askRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

/** A chunked body without a length. */
export function postChunked(url: string, chunks: readonly string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: new Headers(response.headers as Record<string, string>),
          body: JSON.parse(text),
        }),
      )
    })
    sent.on('error', reject)
    for (const chunk of chunks) sent.write(chunk)
    sent.end()
  })
}
