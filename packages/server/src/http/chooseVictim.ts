import type { Connection } from './Connection.js'

/** Time in milliseconds after which an unfinished body may be one that never ends. */
const slowBodyMs = 1_000

/**
 * Chooses the least useful connection, in this order: one that never sent a request, one whose client does not read,
 * one whose body does not arrive, and one that is kept alive. The oldest of equal ones.
 *
 * @returns `undefined` if all of them are busy.
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
