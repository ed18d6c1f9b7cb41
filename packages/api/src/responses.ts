import { IntegratorFee, QuoteRequest, TokenFacts, Transactions, Warnings } from '@sluice/domain'
import { z } from 'zod'
import { codes } from './codes.js'
import { explanation } from './explanation.js'
import {
  address,
  decimal,
  feePips,
  hex,
  integer,
  poolHint,
  venueKind,
  venueName,
} from './fields.js'
import { overridesSummary } from './overrides.js'

/** Schema of a route. */
export const routeResponse = z
  .object({
    tokenIn: address,
    tokenOut: address,
    amountIn: decimal(
      'Input that the route was quoted for; for a request by output, the input that the transaction sells.',
    ),
    grossOut: decimal('Output of the legs, before the protocol fee.'),
    impactBps: integer.max(10_000).describe('Price impact in basis points.'),
    legs: z.array(
      z.object({
        venue: integer.describe("Number of the venue in the chain's Hub."),
        pool: address,
        tokenIn: address,
        tokenOut: address,
        key: decimal('Distinguishes the pools of one venue and pair.'),
        share: decimal(
          'Share of the tokenIn held at that point that the leg swaps; 1e18 is all of it.',
        ),
        venueName: venueName.optional(),
        kind: venueKind.optional(),
        feePips: feePips.optional(),
        hooked: z
          .boolean()
          .optional()
          .describe(
            'Additive. True for a pool of Uniswap V4 with hooks, which may change what it pays at any time. The bound holds if it pays no more than the curve through its samples. Excluding its venue leaves it out.',
          ),
      }),
    ),
  })
  .describe(
    "The Router's route struct; pass it to `swapExactIn`. ABI encoders ignore the additional members of legs.",
  )

/** Schema of the numbers of a quote. */
export const quoteNumbers = z.object({
  grossOut: decimal('Output of the legs, before the protocol fee.'),
  protocolFee: decimal('28 basis points of grossOut, rounded down.'),
  netOut: decimal('grossOut - protocolFee.'),
  ironFloor: decimal(
    'Minimum net output that the Router enforces even if the caller passes a lower minimum: netOut minus `min(500, 100 + impactBps / 4)` basis points, rounded up.',
  ),
  effectiveMinOut: decimal("The higher of ironFloor and the caller's own minimum."),
  impactBps: integer
    .max(10_000)
    .describe(
      'Price impact in basis points, compared with the price of the first thousandth of the trade.',
    ),
  estGas: decimal(
    'Gas that the receipt of the transaction will show, for a recipient who already holds tokenOut; a first balance costs about 17100 more. Too low for a gas limit: use `tx.gas`.',
  ),
  gasPriceWei: decimal(
    'Additive. Gas price in wei that the route was chosen with. On rollups it includes the data fee of layer 1, spread over the gas. Send it as `gasPrice` to repeat the call.',
  ).optional(),
  gasPriceSource: z
    .enum(['node', 'caller', 'none'])
    .optional()
    .describe(
      "Additive. Where the gas price comes from: the chain's nodes, the caller, or `none`, in which case gas is not counted.",
    ),
  gasCostOut: decimal('Base units of tokenOut.')
    .nullable()
    .optional()
    .describe(
      'Additive. Cost of `estGas` at that price, in base units of tokenOut; null if the native coin has no known price in tokenOut. Not deducted from `amountOut`.',
    ),
  hops: integer.describe('Number of legs on the longest path.'),
  legs: integer.describe('Number of swaps.'),
  canExecute: z.boolean().describe('False if the swap would fail, and with `overrides`.'),
  hasSurplus: z.boolean().describe('Beats the best single pool by at least 1 bp.'),
  feeBps: integer,
  integrator: address
    .optional()
    .describe('Additive, with `integrator`: who takes a part of the output.'),
  integratorFeeBps: integer
    .optional()
    .describe('Additive, with `integrator`: its part of grossOut, in basis points.'),
  integratorFee: decimal('Base units of tokenOut.')
    .optional()
    .describe(
      'Additive, with `integrator`: what it takes of grossOut, rounded down, in base units of tokenOut. netOut, ironFloor and effectiveMinOut are after it.',
    ),
  upperBound: decimal(
    'Additive. Upper bound on what any routing over the pools that were read delivers, before the fee; null if no bound is claimed.',
  )
    .nullable()
    .optional(),
  gapBps: z
    .number()
    .nullable()
    .optional()
    .describe(
      'Additive. Maximum distance of grossOut from the optimum, in basis points; null if no bound is claimed, because part of a relevant pool was not read.',
    ),
  truncated: z
    .boolean()
    .optional()
    .describe('Additive. True if a limit on pools, ticks or gas ended the search early.'),
  reason: z.string().optional().describe('Additive. Why canExecute is false.'),
})

/** The eth_call behind a quote. */
export const callResponse = z
  .object({
    to: address.describe('The Quoter.'),
    data: hex.describe('Holds the pair, the amount, the gas price and the hints.'),
    gas: hex.describe('Gas given to the call.'),
    blockNumber: integer,
    blockHash: hex.optional().describe('Present if known.'),
    stateOverride: z
      .record(
        z.string(),
        z.object({ balance: hex.optional(), stateDiff: z.record(z.string(), hex).optional() }),
      )
      .optional()
      .describe(
        'Third parameter of the call: `overrides` of the request; and for a dry run, during the call, the Quoter holds `amountIn` of the input token, or more than any trade sells if the request has `amountOut`.',
      ),
  })
  .describe(
    'Additive. The complete eth_call behind this quote, with its block, to repeat on your own node. If the protocol is not deployed on the chain, the call also needs the state override from GET /api/quote/prepare.',
  )

/** Schema of how and when a quote was computed. */
export const metaResponse = z.object({
  quotedAt: integer.describe('Unix milliseconds.'),
  latencyMs: integer,
  rpcTried: integer.describe('Number of nodes asked for this quote; 0 for a cache hit.'),
  cache: z.enum(['miss', 'coalesced', 'hit']),
  blockNumber: integer.describe('Additive. Block of the quote.').optional(),
  blockHash: hex.optional().describe('Additive. Hash of that block, if known.'),
  connectors: z
    .array(address)
    .optional()
    .describe('Additive. Connector hints of the call; `call` contains them too.'),
  pools: z
    .array(poolHint)
    .optional()
    .describe(
      'Additive. Pool hints of the call: pools that no contract lists by their pair. `call` contains them too.',
    ),
  call: callResponse.optional(),
})

/** Schema of a token that a symbol was resolved to. */
export const resolvedToken = z.object({
  symbol: z.string().max(32).describe("The token's own symbol. Its deployer can choose any text."),
  address,
  name: z.string().max(32).nullable().describe("The token's own name; null if it was not read."),
  liquidityUsd: z
    .number()
    .nonnegative()
    .nullable()
    .describe('Value of the well-known tokens in its pools, read on chain; null if not measured.'),
})

const namedToken = z.object({
  symbol: z
    .string()
    .max(32)
    .describe('With source `chain`, the text of the token itself: anyone can choose it.'),
  decimals: integer.max(255),
  source: z
    .enum(TokenFacts.sources)
    .describe('Who vouches for the symbol; see GET /api/tokens. With `chain`, nobody.'),
})

const namedTokens = z
  .object({ in: namedToken.optional(), out: namedToken.optional() })
  .describe(
    'Additive. Symbol and decimals of both tokens; a side is absent if they could not be read in time.',
  )

const worth = z
  .string()
  .regex(/^[0-9]+(\.[0-9]+)?$/)
  .nullable()

const usdValues = z
  .object({
    in: worth.describe('Value of `amountIn`; null if the token has no proven price.'),
    out: worth.describe('Value of `amountOut`; null if the token has no proven price.'),
  })
  .describe('Additive; only with `usd=1`. In US dollars, at prices as from GET /api/price.')

export const transaction = z.object({
  to: address,
  data: hex,
  value: decimal(
    'Native coin to send, in wei: `amountIn` (`exactOutput.amountInMax` if there is one) for `in=ETH` with `version=2`, else `0`.',
  ),
  gas: decimal(
    'Additive. Safe gas limit: it covers a recipient without a balance, cold pools and changes in the next block. Unused gas is not paid.',
  ).optional(),
  deadline: integer.optional().describe('Additive. Latest time of the swap, in unix seconds.'),
  deadlineFrom: z
    .enum(['clock', 'block'])
    .optional()
    .describe(
      'Additive. Start of `deadlineSec`: the clock of the machine that built the calldata (over HTTP, this service) or, if later, the time of the quoted block.',
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
  value: quantity('Native coin to send, in wei, as a JSON-RPC quantity.'),
  gas: quantity('Safe gas limit, as a JSON-RPC quantity.'),
})

const lacking = {
  actual: decimal('Present amount.'),
  expected: decimal('Amount that the swap needs.'),
}

export const issuesResponse = z.object({
  allowance: z
    .object({ spender: address, ...lacking })
    .optional()
    .describe('The allowance of the spender is too low; the first of `calls` raises it.'),
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
      code: z.string().describe('Name of the error; GET /errors explains the known ones.'),
      error: z.string(),
    })
    .optional()
    .describe('Why the swap would revert even with enough allowance and balance.'),
})

export const permitResponse = z.object({
  kind: z.enum(QuoteRequest.signatures),
  owner: address.describe('Signer.'),
  ownerHasCode: z
    .literal(true)
    .optional()
    .describe(
      "Additive, with `permit2`: the owner has code on this block, so that the code checks the signature (EIP-1271), of any length. POST /api/quote/signed checks other owners' signatures itself.",
    ),
  nonce: decimal('Nonce in the signed data.'),
  recipient: address,
  minOut: decimal('Minimum that the recipient is paid; with less, the swap reverts.'),
  deadline: decimal('Expiry of signature and swap, in unix seconds.'),
  gas: decimal('Gas limit of the signed swap.'),
  integrator: address.optional().describe('Who takes a part of the output.'),
  integratorFeeBps: integer
    .min(IntegratorFee.bpsRange.min)
    .max(IntegratorFee.bpsRange.max)
    .optional()
    .describe('Its part of grossOut, in basis points; the Router pays it in the swap.'),
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
    .describe('EIP-712 data for eth_signTypedData_v4.'),
})

export const warning = z.object({
  code: z.enum(Warnings.codes),
  message: z.string(),
})

const exactOutput = z
  .object({
    amountOut: decimal(
      'Output that was asked for. The transaction pays the recipient at least this much, to the base unit, or reverts; what is over goes to the recipient too.',
    ),
    amountInMax: decimal(
      'Input that the transaction sells, and that `approval`, `permit`, `issues` and `route.amountIn` refer to: `amountIn` plus `slippageBps` (50 if not sent), rounded up.',
    ),
    lowerBound: decimal(
      'No routing of at most three hops over the pools that were read, each swapped on once, delivers the asked output for less input; null if no bound is claimed.',
    ).nullable(),
    gapBps: z
      .number()
      .nullable()
      .describe(
        'Maximum distance of `amountIn` from the least input: `amountIn / lowerBound - 1` in basis points; null if no bound is claimed.',
      ),
  })
  .describe('Additive; only with `amountOut` in the request.')

/** Schema of a quote. */
export const quoteResponse = z.object({
  ok: z.literal(true),
  mode: z.enum(['preview', 'exact']),
  chainId: integer,
  tokenIn: address.describe('The wrapped native token if `in` is ETH.'),
  tokenOut: address,
  amountIn: decimal(
    'Base units. With `amountOut` in the request, the least input that was found to deliver it.',
  ),
  amountOut: decimal(
    'Net output after the protocol fee; the figure to compare between aggregators.',
  ),
  exactOutput: exactOutput.optional(),
  quote: quoteNumbers.optional(),
  route: routeResponse,
  sources: z
    .array(z.string())
    .optional()
    .describe(
      'Additive, with `includeSources` or `excludeSources`: the venues that the route might use. Not in answers of decode.',
    ),
  tx: transaction
    .optional()
    .describe(
      'Only with `recipient`, and only if the swap can be executed. A dry run on the live pools has succeeded; if no node could make one, `warnings` has `dry_run_missing`.',
    ),
  txReason: z
    .string()
    .optional()
    .describe('Additive. Why there is no `tx` although `recipient` was sent.'),
  approval: z
    .object({ token: address, spender: address, amount: decimal('Base units.') })
    .optional()
    .describe('Additive. The allowance that the swap needs, if any. Approve no other spender.'),
  permit: permitResponse
    .optional()
    .describe(
      'Additive, with `signature`: the data that the sender signs. Send this response and the signature to POST /api/quote/signed to get the transaction.',
    ),
  issues: issuesResponse
    .optional()
    .describe(
      'Additive, with `sender`: what the sender lacks at the block of the quote; empty if nothing. If there are issues, there is no `tx`.',
    ),
  calls: z
    .array(remainingCall)
    .optional()
    .describe(
      'Additive, with `sender`: the remaining transactions, in order, to send one by one or as a batch (EIP-5792). The last is the swap, unless it needs a signature. Absent if the swap cannot succeed.',
    ),
  warnings: z
    .array(warning)
    .optional()
    .describe(
      'Additive. What to know before signing. `high_impact`: the trade moves the price by more than 5 %. `floor_above_slippage`: the floor of the protocol is stricter than `slippageBps`. `taxed_token`: a token takes a tax on transfers, which the numbers include. `dry_run_missing`: no node could make a dry run, so a hostile token may make the swap revert. `permit_unavailable`: the sender is a contract account, so an approval in `calls` replaces the permit. `state_overridden`: the quote is for the state in `overrides`.',
    ),
  overrides: overridesSummary.optional(),
  resolved: z
    .object({ in: resolvedToken.optional(), out: resolvedToken.optional() })
    .optional()
    .describe(
      'Only for symbols other than ETH, WETH, USDC and SLU: the tokens that they were resolved to. Show the addresses to the signer.',
    ),
  tokens: namedTokens.optional(),
  usd: usdValues.optional(),
  explain: explanation
    .optional()
    .describe('Additive; only with `explain=1`: the call, and what other routes would deliver.'),
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

/** Schema of an error. */
export const errorResponse = z.object({
  ok: z.literal(false),
  code: z.enum(Object.keys(codes) as [keyof typeof codes]).describe('Stable machine code.'),
  error: z.string().describe('Message for people.'),
  details: z
    .array(z.object({ field: z.string(), code: z.string(), reason: z.string() }))
    .optional()
    .describe('Additive. Every invalid field.'),
  requestId: z.string().optional().describe('Additive. The x-request-id of the response.'),
  retryable: z
    .boolean()
    .optional()
    .describe('Additive. Whether the same request may succeed a little later.'),
  docs: z.string().optional().describe('Additive. Path on this service that explains the code.'),
  explain: explanation
    .optional()
    .describe('Additive; only for `no_route` with `explain=1`: what was looked at.'),
  prepared: z
    .unknown()
    .optional()
    .describe(
      'Only with `rpc_required`: the response of GET or POST /api/quote/prepare for the same parameters.',
    ),
})

/** Schema of the response of POST /api/quote/batch. */
export const batchResponse = z.object({
  ok: z.literal(true),
  count: integer,
  results: z.array(z.union([quoteResponse, errorResponse])).describe('In the order of `requests`.'),
})

const retry = decimal('Milliseconds before an EventSource reconnects.').optional()

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
      'The last event: the stream reached its maximum length, or the service is stopping. Reconnect.',
    ),
])

/** Schema of the response of GET /api/health. */
export const healthResponse = z.object({
  ok: z.literal(true),
  service: z.string(),
  version: z.string(),
  now: integer.describe('Unix milliseconds.'),
  chains: z.array(
    z.object({
      chainId: integer,
      name: z.string(),
      live: z.boolean().describe('Whether the registry has a Router and a Quoter on the chain.'),
      probed: z
        .boolean()
        .describe('Whether a node has shown their code since the service started.'),
      head: integer.optional().describe('Latest block seen.'),
      headAgeMs: integer.optional().describe('Time since that block was last confirmed.'),
      poolsIndexed: integer
        .optional()
        .describe(
          'Additive. Pools with known depth, from which connector hints are chosen; absent without a complete pool index.',
        ),
      problem: z
        .enum(['no_cancun', 'wrong_chain'])
        .optional()
        .describe(
          'Why the chain cannot be quoted: its nodes lack the Cancun opcodes, or all serve another chain.',
        ),
      rpc: z.string().optional().describe("URL of the devnet's own node; absent on other chains."),
    }),
  ),
})

export type QuoteResponse = z.infer<typeof quoteResponse>
export type ErrorResponse = z.infer<typeof errorResponse>
export type BatchResponse = z.infer<typeof batchResponse>
export type QuoteStreamEvent = z.infer<typeof quoteStreamEvent>
export type HealthResponse = z.infer<typeof healthResponse>
