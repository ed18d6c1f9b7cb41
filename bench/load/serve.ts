/** Runs the service on simulated nodes, in a separate process. Receives commands and reports memory over IPC. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer } from '@sluice/server'
import { createChain } from '../chaos/Chain.js'
import { startChaosNode } from '../chaos/ChaosNode.js'
import { deployments } from '../chaos/clients.js'
import { chainId } from '../chaos/encodePlan.js'
import type { Fault } from '../chaos/faults.js'
import { createRandom } from '../chaos/Random.js'

export type Order =
  | { do: 'report' }
  | { do: 'faults'; part: number; seed: number }
  | { do: 'work'; slots: number; delayMs: number }
  /** No new blocks, so that concurrent requests use the same block. */
  | { do: 'still'; on: boolean }
/** `used` is the size of objects and buffers in bytes, after garbage collection. */
export type Report = { url: string; bareUrl: string; rss: number; used: number; calls: number }

/** Faults, one after the other, on a share of the requests of all nodes except the last. */
const mixed: readonly Fault[] = [
  'hang',
  'slow',
  'reset',
  'unavailable',
  'wrongId',
  'empty',
  'html',
  'drip',
]

const chain = createChain()
const nodes = await Promise.all([1, 2, 3].map(() => startChaosNode(chain)))
let isStill = false
setInterval(() => isStill || chain.grow(), 1_000)
const server = await startServer({
  port: 0,
  deployments,
  rpcUrls: new Map([[chainId, nodes.map(({ url }) => url)]]),
  logLevel: 'silent',
  maxBlockAge: 15_000,
})
process.on('SIGTERM', () => server.stop().then(() => process.exit(0)))

/** The bare server: returns the bytes of a quote and does nothing else. */
const path = `/api/quote?chain=${chainId}&in=WETH&out=USDC&amountIn=1000000`
const bytes = await (await fetch(server.url + path)).text()
const bare = createServer((_, outgoing) => {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }
  outgoing.writeHead(200, headers).end(bytes)
}).listen(0, '127.0.0.1')

process.on('message', (order: Order) => {
  if (order.do === 'faults') {
    const random = createRandom(order.seed)
    for (const node of nodes.slice(0, -1))
      node.fault = () => (random.next() < order.part ? random.pick(mixed) : undefined)
  }
  if (order.do === 'work')
    for (const node of nodes) Object.assign(node, { slots: order.slots, delayMs: order.delayMs })
  if (order.do === 'still') isStill = order.on
  if (order.do === 'report') globalThis.gc?.()
  const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
  process.send!({
    url: server.url,
    bareUrl: `http://127.0.0.1:${(bare.address() as AddressInfo).port}`,
    rss,
    used: heapUsed + arrayBuffers,
    calls: nodes.reduce((sum, { calls }) => sum + calls, 0),
  } satisfies Report)
})
process.send!('ready')
