import { z } from 'zod'
import type { Code } from './codes.js'
import { quoteParameters } from './parameters.js'
import { batchEnvelope, maxPrepareItems, prepareEnvelope } from './parseBatch.js'
import {
  decodeBatchResponse,
  decodeItem,
  decodeResponse,
  prepareBatchResponse,
  prepareResponse,
} from './preparation.js'
import {
  abiListResponse,
  abiParameters,
  abiResponse,
  deploymentsParameters,
  deploymentsResponse,
  discoveryResponse,
  manifestResponse,
} from './registry.js'
import { batchResponse, errorResponse, healthResponse, quoteResponse } from './responses.js'
import { signedEnvelope, signedResponse } from './signed.js'
import { badgeResponse, solvencyResponse } from './solvency.js'
import { statsResponse } from './stats.js'
import { xrayParameters, xrayResponse } from './xray.js'

/** One method of one path, as the OpenAPI document describes it. */
export type Operation = {
  readonly id: string
  readonly method: 'get' | 'post'
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** JSON of a success; a media type where it is no JSON of ours. */
  readonly success:
    | { readonly schema: z.ZodType; readonly mayStream?: boolean }
    | { readonly mediaType: string }
  readonly errors: readonly Code[]
}

const decodeEnvelope = z.union([
  decodeItem,
  z.strictObject({ items: z.array(decodeItem).min(1).max(maxPrepareItems) }),
])

const mcpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.number(), z.string(), z.null()]).optional(),
    method: z.string().optional().describe('Of a request or a notification.'),
    params: z.looseObject({}).optional(),
  })
  .describe('A JSON-RPC message.')

const quoteErrors = [
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
const bodyErrors = ['bad_body', 'bad_batch', 'bad_param', 'too_large'] as const

/** Every operation that the service has, in the order of the specification. */
export const operations: readonly Operation[] = [
  {
    id: 'getQuote',
    method: 'get',
    path: '/api/quote',
    summary: 'The best executable route for a trade',
    description:
      'Computed on chain by the Quoter. With `recipient` the answer carries a transaction to sign. With QUOTE_RELAY=off the service answers 400 `rpc_required` with the prepared call in `prepared`.',
    query: quoteParameters,
    success: { schema: quoteResponse },
    errors: [
      ...quoteErrors,
      'rpc_required',
      'no_route',
      'rpc_unreachable',
      'rpc_stale',
      'overloaded',
      'rate_limited',
    ],
  },
  {
    id: 'getQuoteStream',
    method: 'get',
    path: '/api/quote/stream',
    summary: 'The same quote again for every block on which it differs',
    description:
      'Additive. Server-sent events: `quote` (with the block number as id) at once and after each block that changes the answer, then `error` or `end` as the last one. The data of each is JSON: a quote, an error object, or `{reason}`. A stream lasts five minutes (`time`) or 500 events (`count`) at the most, and no longer than the service (`shutdown`); open it again. The last event carries `retry`: an EventSource, which opens every ended stream again, waits a minute after an error that stays.',
    query: quoteParameters,
    success: { mediaType: 'text/event-stream' },
    errors: [...quoteErrors, 'rpc_required', 'overloaded'],
  },
  {
    id: 'getRoutePicture',
    method: 'get',
    path: '/api/quote/route.svg',
    summary: 'The route of the same quote, drawn',
    description:
      'Additive. Tokens from left to right, each swap as thick as the part of the input that it carries, with that part and its pool.',
    query: quoteParameters,
    success: { mediaType: 'image/svg+xml' },
    errors: [
      ...quoteErrors,
      'rpc_required',
      'no_route',
      'rpc_unreachable',
      'rpc_stale',
      'overloaded',
      'rate_limited',
    ],
  },
  {
    id: 'postQuoteBatch',
    method: 'post',
    path: '/api/quote/batch',
    summary: 'Up to ten quotes; those of one chain are of one block',
    body: batchEnvelope,
    success: { schema: batchResponse },
    errors: [...bodyErrors, 'rpc_required', 'overloaded'],
  },
  {
    id: 'getPrepare',
    method: 'get',
    path: '/api/quote/prepare',
    summary: 'The eth_call that a node of your own answers',
    description:
      'Pure: no node is asked. Send `rpcRequest` to your node, and its answer with `request` to POST /api/quote/decode, within the two minutes until `expiresAt`.',
    query: quoteParameters,
    success: { schema: prepareResponse },
    errors: [...quoteErrors, 'overloaded'],
  },
  {
    id: 'postPrepare',
    method: 'post',
    path: '/api/quote/prepare',
    summary: 'Up to 32 prepared calls as one JSON-RPC batch',
    description:
      'Pure: no node is asked. Where nothing is deployed, calls point to `overrides` of the answer, which holds what they bring along once for each chain: put it in the place of the reference before you send them.',
    body: prepareEnvelope,
    success: { schema: prepareBatchResponse },
    errors: [...bodyErrors, 'overloaded'],
  },
  {
    id: 'postSigned',
    method: 'post',
    path: '/api/quote/signed',
    summary: 'The transaction of a quote with `signature`, once its typed data is signed',
    description:
      'Additive. Pure: no node is asked. The typed data is built again from the route, and the signature of a plain account must be that of `permit.owner` over it; one of a contract can be checked on chain alone. To check the answer, decode `tx.data` with the ABI of the Router of 2.0.0.',
    body: signedEnvelope,
    success: { schema: signedResponse },
    errors: [...bodyErrors, 'bad_request', 'bad_chain', 'overloaded'],
  },
  {
    id: 'postDecode',
    method: 'post',
    path: '/api/quote/decode',
    summary: "Turns your node's answer into a checked quote with calldata",
    description:
      'Pure: no node is asked. The call is derived again from the parameters, the answer must be the canonical encoding, its arithmetic is recomputed and its block looked at; `integrity` says which checks ran. A failed check is 400 `bad_result` naming it.',
    body: decodeEnvelope,
    success: { schema: z.union([decodeResponse, decodeBatchResponse]) },
    errors: [
      ...bodyErrors,
      'bad_request',
      'bad_result',
      'bad_in',
      'bad_out',
      'no_route',
      'overloaded',
    ],
  },
  {
    id: 'getDeployments',
    method: 'get',
    path: '/api/deployments',
    summary: 'The registry of contracts, per generation and chain',
    query: deploymentsParameters,
    success: { schema: deploymentsResponse },
    errors: ['bad_chain', 'bad_version', 'bad_param'],
  },
  {
    id: 'getAbi',
    method: 'get',
    path: '/api/abi',
    summary: 'ABIs, generated from the contract sources',
    query: abiParameters,
    success: { schema: z.union([abiResponse, abiListResponse]) },
    errors: ['bad_contract', 'bad_version', 'bad_param'],
  },
  {
    id: 'getManifest',
    method: 'get',
    path: '/api/manifest',
    summary: 'Chains, contracts, the protocol token and event topics',
    success: { schema: manifestResponse },
    errors: ['bad_param'],
  },
  {
    id: 'getDiscovery',
    method: 'get',
    path: '/api',
    summary: 'What there is, and where',
    success: { schema: discoveryResponse },
    errors: ['bad_param'],
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/api/health',
    summary: 'Liveness and flags per chain, from memory alone',
    success: { schema: healthResponse },
    errors: [],
  },
  {
    id: 'getStats',
    method: 'get',
    path: '/api/stats',
    summary: 'Fills and unique traders of every chain, counted from its Swap events',
    description:
      'From an index of the logs of every generation of the Router; no node is asked for an answer. Each chain carries the log filter and the range of blocks that reproduce its figures. A chain that could not be read has `ok: false`, a code, and null in place of figures, and the totals are those of the chains that were read. Cached for about five minutes.',
    success: { schema: statsResponse },
    errors: ['bad_param', 'overloaded'],
  },
  {
    id: 'getBadge',
    method: 'get',
    path: '/api/badge',
    summary: 'The live `isSolvent()` of Staking, as a badge',
    description:
      'The endpoint schema of badge-rendering services, version 1. Green is only what was read to be solvent: a chain that cannot be read is `unknown`, and where no Staking is deployed it is `not deployed`.',
    success: { schema: badgeResponse },
    errors: ['bad_param'],
  },
  {
    id: 'getSolvency',
    method: 'get',
    path: '/api/solvency',
    summary: 'How Staking stands on every chain, and how to read it again',
    description:
      'Additive; the page /solvency as JSON. Each reading is of one block, which it names, and carries the raw answers and the call that repeats it. Readings serve everybody for five seconds.',
    success: { schema: solvencyResponse },
    errors: ['bad_param', 'overloaded'],
  },
  {
    id: 'getSolvencyPage',
    method: 'get',
    path: '/solvency',
    summary: 'Proof of solvency, for people',
    success: { mediaType: 'text/html' },
    errors: ['bad_param', 'overloaded'],
  },
  {
    id: 'getXray',
    method: 'get',
    path: '/api/xray',
    summary: "A token's reported reserves against what its pools hold",
    description:
      'The reserves that a market-data aggregator reports, against `balanceOf(pair)` of each pool at one block, read by one call that is in the answer. Only missing reserves count as phantom: a balance above the report is uncollected fees or a gift. The same report serves everybody for a minute. If the source is down the answer is the last report, marked `stale`, or 502. A service that asks no source of market data for the chain answers 400 `market_required`.',
    query: xrayParameters,
    success: { schema: xrayResponse },
    errors: [
      'bad_chain',
      'bad_token',
      'bad_param',
      'unresolved',
      'market_required',
      'rpc_unreachable',
      'rpc_stale',
      'overloaded',
      'rate_limited',
    ],
  },
  {
    id: 'postMcp',
    method: 'post',
    path: '/mcp',
    summary: 'The same as tools for agents: Model Context Protocol over HTTP',
    description:
      'Additive. One JSON-RPC message of MCP, of revision 2026-07-28 or of those before; stateless, read-only, no key. Answers as JSON or as server-sent events, whichever `Accept` and the revision ask for. A request whose Host or Origin is not this service is refused with 403 and a JSON-RPC error. `tools/list` has the schemas of the tools.',
    body: mcpMessage,
    success: { schema: mcpMessage, mayStream: true },
    errors: [],
  },
  {
    id: 'getOpenapi',
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This description',
    success: { schema: z.looseObject({ openapi: z.string() }) },
    errors: ['bad_param'],
  },
  {
    id: 'getLlms',
    method: 'get',
    path: '/llms.txt',
    summary: 'Integration guide for agents',
    success: { mediaType: 'text/plain' },
    errors: ['bad_param'],
  },
]

/** Schemas that stand under their names in the description. */
export const components = {
  Quote: quoteResponse,
  QuoteBatch: batchResponse,
  Preparation: prepareResponse,
  PreparationBatch: prepareBatchResponse,
  DecodedQuote: decodeResponse,
  DecodedQuoteBatch: decodeBatchResponse,
  Deployments: deploymentsResponse,
  Abi: abiResponse,
  AbiList: abiListResponse,
  Manifest: manifestResponse,
  Discovery: discoveryResponse,
  Health: healthResponse,
  Stats: statsResponse,
  Badge: badgeResponse,
  Solvency: solvencyResponse,
  Xray: xrayResponse,
  Error: errorResponse,
} as const satisfies Record<string, z.ZodType>
