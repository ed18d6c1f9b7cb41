import { PreparedRequest, QuoteRequest } from '@sluice/domain'
import { z } from 'zod'
import { address, decimal, errorResponse, hex, integer, quoteResponse } from './responses.js'

const milliseconds = (meaning: string) => integer.describe(`Unix milliseconds. ${meaning}`)

/** What prepare made, as it comes back to decode. The SDK sends it unread. */
export const preparedRequest = z
  .strictObject({
    schema: z.literal(PreparedRequest.schema).describe('Version of this form.'),
    protocolVersion: z.string().max(32),
    chain: integer.describe('Chain id.'),
    in: z.string().max(64).describe('Token address, or ETH for the native coin.'),
    out: z.string().max(64).describe('Token address, or ETH for the native coin.'),
    amountIn: z.string().regex(/^[0-9]{1,77}$/),
    recipient: address.optional(),
    sender: address.optional(),
    slippageBps: integer.max(5_000).optional(),
    deadlineSec: integer
      .min(QuoteRequest.deadlineSecRange.min)
      .max(QuoteRequest.deadlineSecRange.max),
    exact: z.boolean(),
    gasPrice: z.string().regex(/^[0-9]{1,30}$/),
    connectors: z.string().max(256).optional().describe('Comma-separated addresses.'),
    signature: z.enum(QuoteRequest.signatures).optional(),
    preparedAt: milliseconds('When it was prepared.'),
    expiresAt: milliseconds('Afterwards it is not decoded.'),
    digest: hex.length(66).describe('SHA-256 over the form, the call, all parameters and times.'),
    mac: hex
      .length(66)
      .optional()
      .describe('HMAC-SHA-256 of `digest`, where the operator has set a key.'),
  })
  .describe('Every parameter in its normal form. Send it to decode as it is.')

const call = z.object({
  to: address.describe('The Quoter.'),
  data: hex,
  gas: hex,
  function: z.string().describe('`previewPlan` or `previewPlanExact`.'),
  signature: z.string().describe('Canonical signature of the function.'),
})

const stateOverride = z
  .record(
    address,
    z.object({
      code: hex.optional(),
      state: z.record(hex, hex).optional(),
      stateDiff: z.record(hex, hex).optional(),
    }),
  )
  .describe(
    'Code and storage of contracts that the chain has not got yet, and the input of a dry run.',
  )

const parameters = [
  z.object({ to: address, data: hex, gas: hex }),
  z.literal('latest'),
  hex.describe('A block number: of a call that repeats an earlier answer.'),
  stateOverride,
] as const

const rpcCall = { jsonrpc: z.literal('2.0'), id: integer, method: z.literal('eth_call') }

const rpcRequest = z
  .object({ ...rpcCall, params: z.array(z.union(parameters)).readonly() })
  .describe('A whole JSON-RPC request for your node.')

const overrideReference = z
  .string()
  .regex(/^#\/overrides\/[0-9]+$/)
  .describe(
    'Stands for a member of `overrides` of this answer; put that in its place before you send the call.',
  )

const batchedRequest = z
  .object({ ...rpcCall, params: z.array(z.union([...parameters, overrideReference])).readonly() })
  .describe('A JSON-RPC request for your node; whole where it holds no reference.')

/** Schema of a prepared quote. */
export const prepareResponse = z.object({
  ok: z.literal(true),
  mode: z.literal('prepare'),
  chainId: integer,
  protocolVersion: z.string(),
  contracts: z.object({ quoter: address, router: address }),
  call,
  rpcRequest,
  curl: z.string().describe('The same for a shell; RPC_URL names your node.'),
  request: preparedRequest,
  decode: z.object({ method: z.literal('POST'), path: z.string() }),
  expiresAt: milliseconds('Until then decode takes the answer.'),
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
      'One JSON-RPC batch; ids are places in `items`. A node knows one chain: where `requests` are of several, give each node its own.',
    ),
  items: z
    .array(z.union([preparedItem, errorResponse]))
    .describe('In the order of `requests`; a failed one stands in its place.'),
  overrides: z
    .record(z.string().regex(/^[0-9]+$/), stateOverride)
    .optional()
    .describe(
      'Additive. By chain id, where nothing is deployed yet: what the calls of that chain bring along, once for all of them. The third parameter of each names it as `#/overrides/<chain id>`. With `overrides: "inline"` in the request each call has its own.',
    ),
  curl: z
    .string()
    .optional()
    .describe(
      'Additive. The batch for a shell; RPC_URL names your node. Of several chains a command for each, to RPC_<chainId>. Left out where a call holds a reference.',
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
    .describe("The node's answer: the returned bytes, or the whole JSON-RPC response."),
})

export const integrityResponse = z
  .object({
    bound: z.literal(true).describe('It answers the very call that was prepared, derived again.'),
    strict: z.literal(true).describe('It is the canonical encoding, to the last byte.'),
    arithmetic: z.literal(true).describe('Every number that follows from others was recomputed.'),
    witness: z.literal(true).describe('It speaks of this chain and of a block of that time.'),
  })
  .describe('The checks that ran. Whether your node is honest about its state none can tell.')

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
    .describe('Additive. What the answer says of its block; look it up to check it.')
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
