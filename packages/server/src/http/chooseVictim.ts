import type { Connection } from './Connection.js'

/** A body that takes longer to arrive may be one that never ends. */
const slowBodyMs = 1_000

/**
 * The connection that is missed the least: one that never asked for anything, then one whose client does not read, one
 * whose body does not arrive, and at last one that is kept for later requests. Of equals the oldest.
 *
 * @returns `undefined` if every one has a request in hand.
 */
export function chooseVictim(
  connections: Iterable<Connection>,
  now: number,
): Connection | undefined {
  let victim: Connection | undefined
  let least = Number.POSITIVE_INFINITY
  for (const connection of connections) {
    const worth = worthOf(connection, now)
    if (worth === 0) return connection
    if (worth < least) [victim, least] = [connection, worth]
  }
  return victim
}

function worthOf(connection: Connection, now: number): number {
  const { answers, current, since, unreadSince } = connection
  if (unreadSince !== undefined) return 1
  if (current === undefined) return answers === 0 ? 0 : 3
  const isSlow = !current.complete && now - since >= slowBodyMs
  return isSlow ? 2 : Number.POSITIVE_INFINITY
}
