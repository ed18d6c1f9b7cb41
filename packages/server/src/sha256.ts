import { createHmac, hash } from 'node:crypto'
import type { PreparedRequest } from '@sluice/domain'

/** Node's SHA-256, for the digests of prepared requests. */
export const sha256: PreparedRequest.Hash = (text) => `0x${hash('sha256', text)}`

/** HMAC over the digest of a prepared request. */
export function macOf(digest: string, key: string): string {
  return `0x${createHmac('sha256', key).update(digest).digest('hex')}`
}
