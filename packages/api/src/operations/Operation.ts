import type { Endpoints } from '@sluice/domain'
import type { z } from 'zod'
import type { Code } from '../codes.js'

/** Names of an operation outside of HTTP. The compiler or a test fails if one of them is not implemented. */
export type Surfaces = {
  /** Action of the SDK. */
  readonly action?: string
  /** Tool of the MCP server. */
  readonly tool?: string
  /** Resource of the MCP server: `sluice://NAME`. */
  readonly resource?: string
  /** Command of the command line. */
  readonly command?: string
}

/** A line of `llms.txt`. */
export type GuideEntry = {
  readonly section: 'quote' | 'verify' | 'reference'
  readonly title: string
  /** Query of the link. */
  readonly query?: string
  readonly note?: string
}

/** Description of an operation. `Endpoints` has its method and path; the server's `runs` implement it. */
export type Description = {
  readonly summary: string
  readonly description?: string
  /** Group in the OpenAPI document. */
  readonly tag: 'quote' | 'verify' | 'registry'
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Schema of a successful JSON response, or the media type of another successful response. */
  readonly success:
    | { readonly schema: z.ZodType; readonly mayStream?: boolean }
    | { readonly mediaType: string }
  /** Error codes in addition to those of every path. */
  readonly errors: readonly Code[]
  /** Rate-limit points charged when the request arrives, by processor time and calls to nodes. */
  readonly points: number
  /** Whether the operation takes a slot, and is rejected while the service is overloaded. */
  readonly isWork: boolean
  /** Maximum size of the body in bytes. @default 64 KiB */
  readonly maxBodyBytes?: number
  /** Set if the operation responds with `rpc_required` when the service does not quote on its own nodes. */
  readonly needsRelay?: true
  /** Entry in GET /api, which lists no operation without one. */
  readonly discovery?: {
    /** Key in `endpoints`. */
    readonly name: string
    /** Query of the example. */
    readonly query?: string
    readonly note?: string
  }
  readonly surfaces?: Surfaces
  /** Entry in `llms.txt`, which lists no operation without one. */
  readonly guide?: GuideEntry
}

/** An operation of the service: one method on one path. */
export type Operation = { readonly id: Endpoints.Id } & Endpoints.Endpoint & Description

/** Error codes of the quote parameters. */
export const quoteErrors = [
  'bad_chain',
  'bad_in',
  'bad_out',
  'bad_pair',
  'bad_amount_in',
  'bad_amount_out',
  'bad_recipient',
  'bad_slippage_bps',
  'bad_deadline_sec',
  'bad_exact',
  'bad_version',
  'bad_param',
  'unresolved',
] as const

/** Error codes of reports about tokens, which may have to look up symbols and ask nodes. */
export const tokenReportErrors = [
  'bad_chain',
  'bad_token',
  'bad_param',
  'unresolved',
  'rpc_unreachable',
  'rpc_stale',
  'overloaded',
  'rate_limited',
] as const

/** Error codes of a JSON body. */
export const bodyErrors = ['bad_body', 'bad_batch', 'bad_param', 'too_large'] as const

/** Query string of the trade in examples. */
export const trade = 'chain=base&in=ETH&out=USDC&amountIn=1000000000000000000'

/** Body limit in bytes that fits 32 node responses with long routes, or ten MCP messages. */
export const largeBodyBytes = 256 * 1024
