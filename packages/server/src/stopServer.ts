import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const drainMs = 8_000
/** For what does not hear that it should end, such as a database that hangs; so all is over within fifteen seconds. */
const endMs = 4_000
/**
 * Whoever connected before the end was told of is still served: the door closes once nobody came for the first time, and
 * after the second at the latest. Workers get their connections from another process, which may be slow.
 */
const [quietMs, workerQuietMs, maxLingerMs] = [150, 500, 3_000]

/** Lets the answers under way finish, for up to eight seconds after the door closed, and closes. */
export async function stopServer({
  drainDelayMs,
  end,
  server,
  stopping,
}: stopServer.Options): Promise<void> {
  // Whoever balances the load learns from /readyz, and callers from their answers, to go elsewhere.
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
    /** Aborts what would go on by itself. */
    stopping: AbortController
    /** How long to go on answering after readiness fell. */
    drainDelayMs: number
    /** Ends what is behind the server. */
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
    // If this process stood still, what has arrived meanwhile is read first.
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
