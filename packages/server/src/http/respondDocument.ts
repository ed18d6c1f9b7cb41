import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { openHeaders } from './headers.js'

/** A text that changes seldom, with a strong entity tag. */
export type Document = {
  readonly text: string
  readonly etag: string
  readonly type: string
  /** What else goes with it. */
  readonly headers?: Readonly<Record<string, string>>
}

const seldom = 'public, max-age=60, stale-while-revalidate=600'
const never = 'public, max-age=31536000, immutable'

export function documentOf(content: string | object, type = 'application/json'): Document {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  return { text, etag, type }
}

/** Answers with a document, or with 304 where the caller has it. */
export function respondDocument(
  c: Context<AppEnv>,
  { etag, headers: own, text, type }: Document,
  options: respondDocument.Options = {},
): Response {
  const headers = {
    ...openHeaders,
    'cache-control': options.cacheControl ?? (options.isImmutable ? never : seldom),
    etag,
    'x-request-id': c.get('requestId'),
  }
  const known = c.req.header('if-none-match')
  if (known !== undefined && holds(known, etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { status: 200, headers: { ...headers, 'content-type': type, ...own } })
}

export declare namespace respondDocument {
  type Options = {
    isImmutable?: boolean
    /** In place of the usual minute. */
    cacheControl?: string
  }
}

/** A weak tag of the same text will do for a read. */
function holds(known: string, etag: string): boolean {
  return known.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')))
}
