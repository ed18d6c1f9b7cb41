import { Amounts, IntegratorFee, PreparedRequest, QuoteRequest } from '@sluice/domain'
import { z } from 'zod'
import { address, decimal, hex, integer } from './fields.js'
import { preparedOverrides } from './overrides.js'
import { errorResponse, quoteResponse } from './responses.js'

const milliseconds = (meaning: string) => integer.describe(`Unix milliseconds. ${meaning}`)

const amount = z.string().regex(Amounts.pattern)

/** Schema of `request`, which prepare returns and decode takes back. The SDK passes it on unread. */
export const preparedRequest = z
  .strictObject({
    schema: z.literal(PreparedRequest.schema).describe('Version of this format.'),
    protocolVersion: z.string().max(32),
    chain: integer.describe('Chain id.'),
    in: z.string().max(64).describe('Token address, or ETH for the native coin.'),
    out: z.string().max(64).describe('Token address, or ETH for the native coin.'),
    amountIn: amount.optional().describe('Absent if there is an `amountOut`.'),
    amountOut: amount.optional(),
    recipient: address.optional(),
    sender: address.optional(),
    slippageBps: integer.max(5_000).optional(),
    deadlineSec: integer
      .min(QuoteRequest.deadlineSecRange.min)
      .max(QuoteRequest.deadlineSecRange.max),
    exact: z.boolean(),
    gasPrice: z.string().regex(/^[0-9]{1,30}$/),
    connectors: z.string().max(256).optional().describe('Comma-separated addresses.'),
    pools: z.string().max(544).optional().describe('Comma-separated addresses or ids of pools.'),
    excludeSources: z
      .string()
      .regex(/^[1-9][0-9]?(,[1-9][0-9]?){0,63}$/)
      .optional()
      .describe('Numbers of the venues that the route may not use.'),
    overrides: preparedOverrides.optional(),
    signature: z.enum(QuoteRequest.signatures).optional(),
    integrator: address.optional(),
    integratorFeeBps: integer
      .min(IntegratorFee.bpsRange.min)
      .max(IntegratorFee.bpsRange.max)
      .optional(),
    preparedAt: milliseconds('Time of preparation.'),
    expiresAt: milliseconds('Decode rejects the request after this time.'),
    digest: hex.length(66).describe('SHA-256 of the format, the call, all parameters and times.'),
    mac: hex
      .length(66)
      .optional()
      .describe('HMAC-SHA-256 of `digest`, if the operator has set a key.'),
  })
  .describe('Every parameter in normalized form. Send it to decode unchanged.')

const call = z.object({
  to: address.describe('The Quoter.'),
  data: hex,
  gas: hex,
  function: z
    .string()
    .describe(
      '`previewPlan`, `previewPlanExact`, `previewPlanForOutput` or `previewPlanForOutputExact`.',
    ),
  signature: z.string().describe('Canonical signature of the function.'),
})

const stateOverride = z
  .record(
    address,
    z.object({
      balance: hex.optional(),
      code: hex.optional(),
      state: z.record(hex, hex).optional(),
      stateDiff: z.record(hex, hex).optional(),
    }),
  )
  .describe(
    'Code and storage of contracts that are not deployed on the chain yet, the input tokens of a dry run, and the changes in `overrides` of the request.',
  )

const parameters = [
  z.object({ to: address, data: hex, gas: hex }),
  z.literal('latest'),
  hex.describe('Block number, in a call that repeats an earlier quote.'),
  stateOverride,
] as const

const rpcCall = { jsonrpc: z.literal('2.0'), id: integer, method: z.literal('eth_call') }

const rpcRequest = z
  .object({ ...rpcCall, params: z.array(z.union(parameters)).readonly() })
  .describe('A complete JSON-RPC request for your node.')

const overrideReference = z
  .string()
  .regex(/^#\/overrides\/[0-9]+$/)
  .describe(
    'Reference to a member of `overrides` in this response. Replace it with that member before you send the call.',
  )

const batchedRequest = z
  .object({ ...rpcCall, params: z.array(z.union([...parameters, overrideReference])).readonly() })
  .describe('A JSON-RPC request for your node; complete if it holds no reference.')

/** Schema of a prepared quote. */
export const prepareResponse = z.object({
  ok: z.literal(true),
  mode: z.literal('prepare'),
  chainId: integer,
  protocolVersion: z.string(),
  contracts: z.object({ quoter: address, router: address }),
  call,
  rpcRequest,
  curl: z
    .string()
    .describe('`rpcRequest` as a shell command; set RPC_URL to the URL of your node.'),
  request: preparedRequest,
  decode: z.object({ method: z.literal('POST'), path: z.string() }),
  expiresAt: milliseconds('Decode accepts the response until this time.'),
})

const preparedItem = prepareResponse.extend({
  rpcRequest: batchedRequest,
  curl: prepareResponse.shape.curl.optional(),
})

/** Schema of the response of POST /api/quote/prepare. */
export const prepareBatchResponse = z.object({
  ok: z.literal(true),
  mode: z.literal('prepare'),
  count: integer,
  rpcBatch: z
    .array(batchedRequest)
    .describe(
      'One JSON-RPC batch; ids are indexes into `items`. If `requests` name several chains, send each node only the calls of its chain.',
    ),
  items: z
    .array(z.union([preparedItem, errorResponse]))
    .describe('In the order of `requests`. An item that failed is an error object.'),
  overrides: z
    .record(z.string().regex(/^[0-9]+$/), stateOverride)
    .optional()
    .describe(
      'Additive. State overrides by chain id, for chains without a deployment. Calls of a chain share one; their third parameter refers to it as `#/overrides/<chain id>`. A call with `overrides` of its own contains both. With `overrides: "inline"` in the request, each call contains its own instead.',
    ),
  curl: z
    .string()
    .optional()
    .describe(
      'Additive. The batch as a shell command; set RPC_URL to the URL of your node. For several chains, one command per chain with RPC_<chainId>. Absent if a call holds a reference.',
    ),
})

const rpcResponse = z.looseObject({
  jsonrpc: z.literal('2.0').optional(),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.string(),
})

/** Schema of a prepared request with the response of a node. */
export const decodeItem = z.strictObject({
  request: preparedRequest,
  result: z
    .union([z.string(), rpcResponse])
    .describe("The node's response: the return data, or the whole JSON-RPC response."),
})

export const integrityResponse = z
  .object({
    bound: z
      .literal(true)
      .describe('The result belongs to the prepared call, which was derived again.'),
    strict: z.literal(true).describe('The result is the canonical encoding, to the last byte.'),
    arithmetic: z.literal(true).describe('Every number that follows from others was recomputed.'),
    witness: z.literal(true).describe('The result is of this chain and of a block of that time.'),
  })
  .describe('The checks that passed. They cannot tell whether your node reported its true state.')

/** Schema of a decoded quote. */
export const decodeResponse = quoteResponse.extend({
  integrity: integrityResponse,
  witness: z
    .object({
      chainId: integer,
      blockNumber: decimal('Block that the quote was computed on.'),
      timestamp: decimal('Unix seconds.'),
      parentHash: hex,
    })
    .describe('Additive. The block according to the result; compare it with a block explorer.')
    .optional(),
})

/** Schema of the response of POST /api/quote/decode for several items. */
export const decodeBatchResponse = z.object({
  ok: z.literal(true),
  count: integer,
  results: z.array(z.union([decodeResponse, errorResponse])).describe('In the order of `items`.'),
})

export type PrepareResponse = z.infer<typeof prepareResponse>
export type PrepareBatchResponse = z.infer<typeof prepareBatchResponse>
export type DecodeResponse = z.infer<typeof decodeResponse>
export type DecodeBatchResponse = z.infer<typeof decodeBatchResponse>
