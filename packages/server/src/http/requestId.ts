import { randomUUID } from 'node:crypto'

/** The caller's own id if it is harmless, else a new one. */
export function requestIdFrom(given: string | undefined): string {
  return given !== undefined && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomUUID()
}
