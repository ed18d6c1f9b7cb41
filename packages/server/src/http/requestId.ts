import { randomUUID } from 'node:crypto'

/** Returns the caller's id if it is safe, otherwise a new one. */
export function requestIdFrom(given: string | undefined): string {
  return given !== undefined && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomUUID()
}
