import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Maximum time to complete pending responses, in milliseconds. */
const drainMs = 8_000
/**
 * Maximum time to close the engine in milliseconds, in case of a database that hangs. Keeps the total below fifteen
 * seconds.
 */
const endMs = 4_000
/**
 * Clients that connect before they learn of the stop are still served. The server stops accepting after `quietMs`
 * without new connections and requests (`workerQuietMs` in workers, which get connections from another process), and
 * after `maxLingerMs` in any case. In milliseconds.
 */
const [quietMs, workerQuietMs, maxLingerMs] = [150, 500, 3_000]

/** Stops accepting connections, waits up to eight seconds for pending responses, and closes. */
export async function stopServer({
  drainDelayMs,
  end,
  server,
  stopping,
}: stopServer.Options): Promise<void> {
  // Tells clients to reconnect elsewhere. Load balancers learn the same from /readyz.
  server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'))
  await Promise.all([sleep(drainDelayMs), untilQuiet(server)])
  stopping.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await within(drainMs, closed)
  server.closeAllConnections()
  await closed
  await within(endMs, end())
}

export declare namespace stopServer {
  type Options = {
    server: Server
    /** Ends streams and other work that would continue by itself. */
    stopping: AbortController
    /** How long to keep responding after readiness has ended, in milliseconds. */
    drainDelayMs: number
    /** Closes everything behind the server. */
    end: () => Promise<void>
  }
}

async function untilQuiet(server: Server): Promise<void> {
  const waitMs = cluster.isWorker ? workerQuietMs : quietMs
  const endsAt = performance.now() + maxLingerMs
  let arrivals = 0
  let seen: number
  const note = () => void arrivals++
  server.on('connection', note)
  server.on('request', note)
  do {
    seen = arrivals
    await sleep(waitMs)
    // If this process was blocked, read what has arrived first.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  } while (arrivals !== seen && performance.now() < endsAt)
  server.off('connection', note)
  server.off('request', note)
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
