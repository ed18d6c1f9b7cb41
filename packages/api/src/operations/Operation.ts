import type { Endpoints } from '@sluice/domain'
import type { z } from 'zod'
import type { Code } from '../codes.js'

/** Names under which an operation is offered beside HTTP. The compiler or a test finds the ones that are missing there. */
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

/** What the service promises of an operation. `Endpoints` has its method and path, and the server's runs do the work. */
export type Description = {
  readonly summary: string
  readonly description?: string
  /** Group in the OpenAPI document. */
  readonly tag: 'quote' | 'verify' | 'registry'
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** JSON of a success, or the media type of a success that is not JSON of ours. */
  readonly success:
    | { readonly schema: z.ZodType; readonly mayStream?: boolean }
    | { readonly mediaType: string }
  /** Codes beside those that every path can answer. */
  readonly errors: readonly Code[]
  /** Points that a caller with a rate limit pays when the request enters, by processor time and calls to nodes. */
  readonly points: number
  /** Whether the operation holds a slot, and is refused while the service is overloaded. */
  readonly isWork: boolean
  /** Bytes that a body may have. @default 64 KiB */
  readonly maxBodyBytes?: number
  /** Whether it is refused with `rpc_required` if the service quotes on no node. */
  readonly needsRelay?: true
  /** How GET /api lists it. Without it, it does not. */
  readonly discovery?: {
    /** Key in `endpoints`. */
    readonly name: string
    /** Query of the example. */
    readonly query?: string
    readonly note?: string
  }
  readonly surfaces?: Surfaces
  /** How `llms.txt` lists it. Without it, it does not. */
  readonly guide?: GuideEntry
}

/** An operation of the service: one method of one path. */
export type Operation = { readonly id: Endpoints.Id } & Endpoints.Endpoint & Description

/** Codes of the quote parameters. */
export const quoteErrors = [
  'bad_chain',
  'bad_in',
  'bad_out',
  'bad_pair',
  'bad_amount_in',
  'bad_recipient',
  'bad_slippage_bps',
  'bad_deadline_sec',
  'bad_exact',
  'bad_version',
  'bad_param',
  'unresolved',
] as const

/** Codes of a JSON body. */
export const bodyErrors = ['bad_body', 'bad_batch', 'bad_param', 'too_large'] as const

/** Query of a trade for examples. */
export const trade = 'chain=base&in=ETH&out=USDC&amountIn=1000000000000000000'

/** Room for 32 answers of nodes with long routes, and for ten messages of MCP. */
export const largeBodyBytes = 256 * 1024
