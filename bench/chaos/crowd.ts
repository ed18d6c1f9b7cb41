import { setMaxListeners } from 'node:events'
import { type Figure, quantile } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { startChaosNode } from './ChaosNode.js'
import { createOurEngine, requestOf } from './clients.js'
import { figureOf } from './figureOf.js'

const crowd = 1_000
const leaveAfterMs = 100

/**
 * Measures the calls that a thousand identical requests cause if half of the callers disconnect, and how long a node still
 * works for a caller who has disconnected.
 */
export async function runCrowd(chain: Chain): Promise<Figure[]> {
  const node = await startChaosNode(chain)
  const engine = createOurEngine([node])
  try {
    node.delayMs = 50
    const leaving = new AbortController()
    setMaxListeners(0, leaving.signal)
    const request = requestOf(5n)
    const asked = Array.from({ length: crowd }, (_, index) =>
      engine.quote(request, index % 2 === 0 ? { signal: leaving.signal } : {}),
    )
    setTimeout(() => leaving.abort(), 5)
    const settled = await Promise.allSettled(asked)
    const lost = settled.filter(({ status }, index) => index % 2 === 1 && status === 'rejected')
    const { calls } = node
    node.fault = () => 'hang'
    const waits: number[] = []
    for (let count = 0; count < 20; count++) {
      const caller = new AbortController()
      const quote = engine.quote(requestOf(BigInt(10 + count)), { signal: caller.signal })
      await new Promise((resolve) => setTimeout(resolve, leaveAfterMs))
      const leftAt = performance.now()
      caller.abort()
      await quote.catch(() => {})
      while (node.abortedAt.length <= count) await new Promise((resolve) => setTimeout(resolve, 1))
      waits.push(node.abortedAt[count]! - leftAt)
    }
    return [
      figureOf('crowd.calls', calls, 'count'),
      figureOf('crowd.errors', lost.length, 'count'),
      figureOf('leave.p99', quantile(waits, 0.99), 'ms'),
    ]
  } finally {
    engine.stop()
    await node.stop()
  }
}
