import { QuoteRequest, Transactions, Warnings } from '@sluice/domain'
import { z } from 'zod'
import { codes } from './codes.js'

export const decimal = (meaning: string) =>
  z
    .string()
    .regex(/^[0-9]+$/)
    .describe(meaning)
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
export const hex = z.string().regex(/^0x[0-9a-f]*$/)
export const integer = z.number().int().nonnegative()

export const routeResponse = z
  .object({
    tokenIn: address,
    tokenOut: address,
    amountIn: decimal('Input that the route was quoted for.'),
    grossOut: decimal('What the legs deliver, before the protocol fee.'),
    impactBps: integer.max(10_000).describe('Price impact in basis points.'),
    legs: z.array(
      z.object({
        venue: integer.describe("Number of the venue in the chain's Hub."),
        pool: address,
        tokenIn: address,
        tokenOut: address,
        key: decimal('What tells pools of one venue and pair apart.'),
        share: decimal('Part of the holding of tokenIn that the leg swaps, in 1e-18.'),
      }),
    ),
  })
  .describe("The Router's route struct; pass it unchanged to `swapExactIn`.")

export const quoteNumbers = z.object({
  grossOut: decimal('What the legs deliver.'),
  protocolFee: decimal('28 basis points of grossOut, rounded down.'),
  netOut: decimal('grossOut less protocolFee.'),
  ironFloor: decimal(
    'Least net output that the Router lets through, whatever the caller passes: netOut less `min(500, 100 + impactBps / 4)` basis points, rounded up.',
  ),
  effectiveMinOut: decimal("The higher of ironFloor and the caller's own minimum."),
  impactBps: integer
    .max(10_000)
    .describe(
      'Price impact in basis points, against the price of the first thousandth of the trade.',
    ),
  estGas: decimal(
    'Gas of the whole transaction as its receipt will show it, for a recipient who holds some of tokenOut; the first units ever cost about 17100 more. As a gas limit it is too low: take `tx.gas`.',
  ),
  gasPriceWei: decimal(
    'Additive. Wei for a unit of gas that the route counts; on rollups the data fee of the layer below is in it, spread over the gas. Send it as `gasPrice` to repeat the call.',
  ).optional(),
  gasPriceSource: z
    .enum(['node', 'caller', 'none'])
    .optional()
    .describe(
      "Additive. Whose gas price that is: the chain's nodes', the caller's, or nobody's, and gas is not counted.",
    ),
  gasCostOut: decimal('Base units of tokenOut.')
    .nullable()
    .optional()
    .describe(
      'Additive. What `estGas` costs at that price in base units of tokenOut; null where nobody can tell what the native coin is worth in it. Not taken out of `amountOut`.',
    ),
  hops: integer.describe('Legs on the longest path.'),
  legs: integer.describe('Swaps.'),
  canExecute: z.boolean(),
  hasSurplus: z.boolean().describe('Beats the best single pool by at least 1 bp.'),
  feeBps: integer,
  upperBound: decimal(
    'Additive. No routing over the pools that were read delivers more, before the fee; null if no bound is claimed.',
  )
    .nullable()
    .optional(),
  gapBps: z
    .number()
    .nullable()
    .optional()
    .describe(
      'Additive. How far grossOut can be from the optimum, in basis points; null if no bound is claimed, because part of a pool that could matter was not read.',
    ),
  truncated: z
    .boolean()
    .optional()
    .describe('Additive. A limit on pools, ticks or gas cut the search off.'),
  reason: z.string().optional().describe('Additive. Why canExecute is false.'),
})

/** What was asked of the chain. */
export const callResponse = z
  .object({
    to: address.describe('The Quoter.'),
    data: hex.describe('Holds the pair, the amount, the gas price and the connector hints.'),
    gas: hex.describe('Gas given to the call.'),
    blockNumber: integer,
    blockHash: hex.optional().describe('Where it is known.'),
    stateOverride: z
      .record(z.string(), z.object({ stateDiff: z.record(z.string(), hex) }))
      .optional()
      .describe(
        'Third parameter of the call of a dry run: it gives the Quoter `amountIn` of the input token for the length of the call.',
      ),
  })
  .describe(
    'Additive. The whole eth_call behind this answer, with its block: repeat it on a node of your own. If nothing is deployed on the chain, the call also needs the state override of GET /api/quote/prepare.',
  )

export const metaResponse = z.object({
  quotedAt: integer.describe('Unix milliseconds.'),
  latencyMs: integer,
  rpcTried: integer.describe('Nodes that were asked for this answer; 0 for a hit.'),
  cache: z.enum(['miss', 'coalesced', 'hit']),
  blockNumber: integer.describe('Additive. Block that the quote was computed on.').optional(),
  blockHash: hex.optional().describe('Additive. Its hash, where it is known.'),
  connectors: z
    .array(address)
    .optional()
    .describe('Additive. Connector hints that the call carried; `call` holds them too.'),
  call: callResponse.optional(),
})

/** What a symbol was found to mean. */
export const resolvedToken = z.object({
  symbol: z.string().max(32).describe("The token's own symbol; anyone can give any to a token."),
  address,
  name: z.string().max(32).nullable().describe("The token's own name; null where it was not read."),
  liquidityUsd: z
    .number()
    .nonnegative()
    .nullable()
    .describe(
      'Worth of what its pools hold of well-known tokens, read on chain; null where it was not measured.',
    ),
})

export const transaction = z.object({
  to: address,
  data: hex,
  value: decimal(
    'Native coin that goes along, in wei: `0`, but for `in=ETH` with `version=2`, where it is `amountIn`.',
  ),
  gas: decimal(
    'Additive. Gas limit that holds: a recipient without a balance, cold pools and what the next block changes are counted. Gas that is not used is not paid.',
  ).optional(),
  deadline: integer
    .optional()
    .describe('Additive. Last second in which the swap may happen, unix seconds.'),
  deadlineFrom: z
    .enum(['clock', 'block'])
    .optional()
    .describe(
      'Additive. What `deadlineSec` was counted from: the clock of the machine that built the calldata (of this service, over HTTP) at the moment of the answer, or the quoted block if its time is later.',
    ),
})

const quantity = (meaning: string) =>
  z
    .string()
    .regex(/^0x(0|[1-9a-f][0-9a-f]*)$/)
    .describe(meaning)

export const remainingCall = z.object({
  purpose: z.enum(Transactions.purposes).describe('What the transaction is for.'),
  to: address,
  data: hex,
  value: quantity('Native coin that goes along, in wei, as JSON-RPC takes it.'),
  gas: quantity('Gas limit that holds, as JSON-RPC takes it.'),
})

const lacking = { actual: decimal('What there is.'), expected: decimal('What the swap needs.') }

export const issuesResponse = z.object({
  allowance: z
    .object({ spender: address, ...lacking })
    .optional()
    .describe('The spender may not collect the input; the first of `calls` mends it.'),
  balance: z
    .object({
      token: address.describe(
        'The input token; 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE for the native coin.',
      ),
      ...lacking,
    })
    .optional(),
  simulation: z
    .object({
      code: z.string().describe('Name of the error; GET /errors explains those that are known.'),
      error: z.string(),
    })
    .optional()
    .describe('How the swap would revert, even if allowance and balance were there.'),
})

export const permitResponse = z.object({
  kind: z.enum(QuoteRequest.signatures),
  owner: address.describe('Who signs.'),
  nonce: decimal('Part of what is signed.'),
  recipient: address,
  minOut: decimal('Least that the recipient is paid, or the swap reverts.'),
  deadline: decimal('Last second in which signature and swap hold, unix seconds.'),
  gas: decimal('Gas limit of the transaction with the signature.'),
  typedData: z
    .object({
      domain: z.object({
        name: z.string(),
        version: z.string().optional(),
        chainId: integer,
        verifyingContract: address,
      }),
      types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
      primaryType: z.string(),
      message: z.record(z.string(), z.unknown()),
    })
    .describe('EIP-712 data, as eth_signTypedData_v4 takes it.'),
})

export const warning = z.object({
  code: z.enum(Warnings.codes),
  message: z.string(),
})

export const quoteResponse = z.object({
  ok: z.literal(true),
  mode: z.enum(['preview', 'exact']),
  chainId: integer,
  tokenIn: address.describe('Wrapped native where ETH was asked.'),
  tokenOut: address,
  amountIn: decimal('Base units.'),
  amountOut: decimal('Net output after the protocol fee; the figure to compare across venues.'),
  quote: quoteNumbers.optional(),
  route: routeResponse,
  tx: transaction
    .optional()
    .describe(
      'Only with `recipient`, and only if the swap can be executed. It was run on the live pools before; where no node could, `warnings` has `dry_run_missing`.',
    ),
  txReason: z
    .string()
    .optional()
    .describe('Additive. Why there is no `tx` although `recipient` was sent.'),
  approval: z
    .object({ token: address, spender: address, amount: decimal('Base units.') })
    .optional()
    .describe(
      'Additive. The allowance that the swap needs, if it needs one; the spender is the only address to approve.',
    ),
  permit: permitResponse
    .optional()
    .describe(
      'Additive, with `signature`: what the sender signs. Send this answer and the signature to POST /api/quote/signed for the transaction.',
    ),
  issues: issuesResponse
    .optional()
    .describe(
      'Additive, with `sender`: what the sender lacks at the block of the quote; empty if nothing. With an issue there is no `tx`.',
    ),
  calls: z
    .array(remainingCall)
    .optional()
    .describe(
      'Additive, with `sender`: the transactions that remain, in order and ready to send one by one or as a batch (EIP-5792); the last is the swap, unless a signature is needed for it. Absent if the swap cannot succeed.',
    ),
  warnings: z
    .array(warning)
    .optional()
    .describe(
      'Additive. What to know before signing. `high_impact`: the size of the trade moves the price by more than 5 %. `floor_above_slippage`: `slippageBps` asks for less than the floor of the protocol. `taxed_token`: a token keeps back a part of its transfers, which the numbers count. `dry_run_missing`: no node could run the swap, so a hostile token may make it revert.',
    ),
  resolved: z
    .object({ in: resolvedToken.optional(), out: resolvedToken.optional() })
    .optional()
    .describe(
      'Only where a symbol other than ETH, WETH, USDC and SLU was asked: what it was taken to mean. Show the address to whoever signs.',
    ),
  wrapRequired: z
    .boolean()
    .optional()
    .describe('The input is ETH and the version is 1.0.0: wrap it to WETH first.'),
  unwrapAfter: z
    .boolean()
    .optional()
    .describe('The output is ETH and the version is 1.0.0: the Router delivers WETH.'),
  meta: metaResponse.optional(),
})

export const errorResponse = z.object({
  ok: z.literal(false),
  code: z.enum(Object.keys(codes) as [keyof typeof codes]).describe('Stable machine code.'),
  error: z.string().describe('Message for people.'),
  details: z
    .array(z.object({ field: z.string(), code: z.string(), reason: z.string() }))
    .optional()
    .describe('Additive. Every failing field.'),
  requestId: z.string().optional().describe('Additive. The x-request-id of the answer.'),
  retryable: z
    .boolean()
    .optional()
    .describe('Additive. Whether the same request may succeed a little later.'),
  docs: z.string().optional().describe('Additive. Path on this service that explains the code.'),
  prepared: z
    .unknown()
    .optional()
    .describe(
      'Only with `rpc_required`: what GET or POST /api/quote/prepare answers for the same parameters.',
    ),
})

export const batchResponse = z.object({
  ok: z.literal(true),
  count: integer,
  results: z.array(z.union([quoteResponse, errorResponse])).describe('In the order of `requests`.'),
})

const retry = decimal('Milliseconds until an EventSource opens the stream again.').optional()

/** One event of GET /api/quote/stream: `event` is the SSE event's name, `data` its JSON. */
export const quoteStreamEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('quote'),
    id: decimal('Number of the block.'),
    data: quoteResponse,
  }),
  z.object({ event: z.literal('error'), retry, data: errorResponse }).describe('The last event.'),
  z
    .object({
      event: z.literal('end'),
      retry,
      data: z.object({ reason: z.enum(['time', 'count', 'shutdown']) }),
    })
    .describe(
      'The last event: the stream lasted as long as streams do, or the service stops. Open it again.',
    ),
])

export const healthResponse = z.object({
  ok: z.literal(true),
  service: z.string(),
  version: z.string(),
  now: integer.describe('Unix milliseconds.'),
  chains: z.array(
    z.object({
      chainId: integer,
      name: z.string(),
      live: z.boolean().describe('Router and Quoter are deployed according to the registry.'),
      probed: z.boolean().describe('Their code was seen on a node since the start.'),
      head: integer.optional().describe('Latest block seen.'),
      headAgeMs: integer.optional().describe('Time since that block was last confirmed.'),
      poolsIndexed: integer
        .optional()
        .describe(
          'Additive. Pools whose depth is known, from which connector hints are chosen; absent until the index of pools has caught up, and where there is none.',
        ),
      problem: z
        .enum(['no_cancun', 'wrong_chain'])
        .optional()
        .describe(
          'Why no quote can be made on the chain: its nodes lack the opcodes of Cancun, or all serve another chain.',
        ),
      rpc: z.string().optional().describe("The devnet's own node; never given for others."),
    }),
  ),
})

export type QuoteResponse = z.infer<typeof quoteResponse>
export type ErrorResponse = z.infer<typeof errorResponse>
export type BatchResponse = z.infer<typeof batchResponse>
export type QuoteStreamEvent = z.infer<typeof quoteStreamEvent>
export type HealthResponse = z.infer<typeof healthResponse>
