import { createHash } from 'node:crypto'
import { Lru } from '@sluice/domain'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { compress, type Encoding } from './compress.js'
import { openHeaders } from './headers.js'
import { encodingOf } from './respond.js'

/** A document that rarely changes, with a strong entity tag. */
export type Document = {
  /** Bytes, shared by all responses. */
  readonly bytes: Buffer
  readonly etag: string
  readonly type: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
}

const seldom = 'public, max-age=60, stale-while-revalidate=600'
const never = 'public, max-age=31536000, immutable'

export function documentOf(
  content: string | Uint8Array | object,
  type = 'application/json',
): Document {
  const bytes =
    content instanceof Uint8Array
      ? Buffer.from(content)
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  return { bytes, etag, type }
}

/** Responds with a document, or with 304 if the caller has it. */
export async function respondDocument(
  c: Context<AppEnv>,
  document: Document,
  options: respondDocument.Options = {},
): Promise<Response> {
  const headers = {
    ...openHeaders,
    'cache-control': options.cacheControl ?? (options.isImmutable ? never : seldom),
    'x-request-id': c.get('requestId'),
  }
  const { bytes, etag, headers: own, type } = document
  const known = heldTag(c.req.header('if-none-match'), etag)
  if (known !== undefined)
    return new Response(null, { status: 304, headers: { ...headers, etag: known } })
  const encoding = encodingOf(c)
  const compressed = await keptForm(document, encoding)
  const coded =
    compressed === undefined
      ? { etag }
      : { etag: tagOf(etag, encoding!), 'content-encoding': encoding! }
  return new Response((compressed ?? bytes) as Uint8Array<ArrayBuffer>, {
    status: 200,
    headers: { ...headers, ...coded, 'content-type': type, ...own },
  })
}

export declare namespace respondDocument {
  type Options = {
    isImmutable?: boolean
    /** Replaces the default of one minute. */
    cacheControl?: string
  }
}

/**
 * Maximum number of compressed documents, by tag. Some documents are created for each response, and mostly equal the
 * last one.
 */
const maxForms = 100
const forms = Lru.create<string, Promise<Buffer>>(maxForms)

async function keptForm(
  { bytes, etag }: Document,
  encoding: Encoding | undefined,
): Promise<Buffer | undefined> {
  if (encoding === undefined) return undefined
  const tag = tagOf(etag, encoding)
  const found = forms.get(tag)
  if (found !== undefined) return await found
  const form = compress(bytes, encoding, { isKept: true })
  if (form === undefined) return undefined
  const kept = Promise.resolve(form)
  forms.put(tag, kept)
  kept.catch(() => forms.delete(tag))
  return await kept
}

/** The compressed document needs a strong tag of its own. */
function tagOf(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}

/** Finds the document's tag, in any encoding, in the caller's list. A weak tag is enough for a read. */
function heldTag(known: string | undefined, etag: string): string | undefined {
  const tags = [etag, tagOf(etag, 'br'), tagOf(etag, 'gzip')]
  for (const each of known?.split(',') ?? []) {
    const tag = each.trim().replace(/^W\//, '')
    if (tag === '*') return etag
    if (tags.includes(tag)) return tag
  }
  return undefined
}
