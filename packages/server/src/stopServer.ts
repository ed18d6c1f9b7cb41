import type { Server } from 'node:http'

export const drainMs = 10_000
/** For what does not hear that it should end, such as a database that hangs; so all is over within fifteen seconds. */
const endMs = 4_000
/** Whoever connected or asked a moment before the end was told of is still served. */
const lingerMs = 150

/** Lets the answers under way finish, for up to ten seconds, and closes. */
export async function stopServer({
  drainDelayMs,
  end,
  server,
  stopping,
}: stopServer.Options): Promise<void> {
  // Whoever balances the load learns from /readyz, and callers from their answers, to go elsewhere.
  server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'))
  await new Promise((resolve) => setTimeout(resolve, Math.max(lingerMs, drainDelayMs)))
  // If this process stood still in the meantime, what has arrived is read before the door closes.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
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

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
