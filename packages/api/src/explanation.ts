import { PathSearch } from '@sluice/domain'
import { z } from 'zod'
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

/** Maximum number of pools in an explanation. */
export const maxExplainedPools = 60

const place = {
  venue: integer.describe("Number of the venue in the chain's Hub."),
  venueName: venueName.optional(),
  kind: venueKind.optional(),
  feePips: feePips.optional(),
  pool: address,
  key: decimal('Distinguishes the pools of one venue and pair.'),
  tokenIn: address,
  tokenOut: address,
}

const explainedCall = z
  .object({
    to: address.describe('The Quoter.'),
    signature: z.string(),
    amountIn: decimal('Base units.'),
    gasPriceWei: decimal('Gas price that the route was chosen with.'),
    connectors: z.array(address).describe('Hints: the tokens tried beside the connector tokens.'),
    pools: z
      .array(poolHint)
      .optional()
      .describe('Additive. Pool hints: the pools that no contract lists by their pair.'),
    gas: hex,
    blockNumber: integer,
    blockHash: hex.optional(),
    curl: z
      .string()
      .optional()
      .describe(
        'The call as a shell command, for the node in `RPC_URL`. Absent if the call needs the contracts as a state override; GET /api/quote/prepare has it.',
      ),
    cast: z.string().optional().describe("The same with Foundry's `cast`."),
  })
  .describe('The call that was made; of several, the one whose answer this is.')

const minimum = z
  .object({
    bySlippage: decimal('amountOut less `slippageBps`, rounded up.').optional(),
    floor: decimal('The floor of the protocol.'),
    effective: decimal('The higher of the two: the swap delivers it or reverts.'),
    decidedBy: z.enum(['floor', 'slippageBps']),
  })
  .describe('Which minimum holds. With `floor`, a wider `slippageBps` changes nothing.')

const alternative = z.object({
  kind: z
    .enum(['single_pool', 'single_path'])
    .describe(
      'The best single pool, or the best path of at most three pools, one after the other: no splitting.',
    ),
  grossOut: decimal('Output of the pools for all of the input.'),
  amountOut: decimal('The same after the protocol fee; compare it with `amountOut` of the quote.'),
  legGas: decimal('Gas of the swaps alone, by the Pricer.'),
  legs: z.array(z.object({ ...place, amountIn: decimal(''), amountOut: decimal('') })),
})

const lookedPool = z.object({
  ...place,
  amountIn: decimal('Input of the question, in base units of tokenIn.'),
  amountOut: decimal('What the pool pays for it.').nullable(),
  verdict: z
    .enum(PathSearch.verdicts)
    .describe(
      '`pays`; `rounds_to_zero`: only a larger input pays; `takes_less`: only a smaller input pays; `pays_nothing`: neither does; `unread`: its price could not be read.',
    ),
})

/** Schema of `explain`, which a quote and the error `no_route` have if the request has `explain=1`. */
export const explanation = z.object({
  call: explainedCall.optional(),
  minimum: minimum.optional(),
  alternatives: z
    .array(alternative)
    .optional()
    .describe(
      'Routes without splitting, on the block of the call, by the arithmetic of the pools: a tax of a token is not deducted. A kind is missing if no such route takes all of the input. Absent if they are unknown.',
    ),
  tokens: z
    .array(address)
    .optional()
    .describe('Tokens that a route could pass through: connector tokens and hints.'),
  venues: z
    .array(
      z.object({
        venue: integer,
        venueName,
        kind: venueKind,
        pools: integer.describe(
          'Pools found between the tokens in play with liquidity worth reading.',
        ),
      }),
    )
    .optional()
    .describe('Every venue that was searched. Absent until the service has read them.'),
  pools: z
    .array(lookedPool)
    .optional()
    .describe(
      `What the pools pay, hop by hop, the pools of the input token first; each for the most that reaches it on one path. At most ${maxExplainedPools}.`,
    ),
  leftOut: z
    .array(
      z.object({
        venue: integer,
        venueName: venueName.optional(),
        pool: address,
        tokenIn: address,
        tokenOut: address,
      }),
    )
    .optional()
    .describe(
      `Only with \`no_route\`: pools that exist by their factories, and that have no liquidity near their price, or next to none beside others. A venue without a row here and in \`pools\` has no pool. At most ${maxExplainedPools}.`,
    ),
  poolsFound: integer.optional().describe('Pools found between the tokens in play.'),
  poolsOmitted: integer.optional().describe('Rows left out of `pools`.'),
  truncated: z.boolean().optional().describe('There were more pools than a search reads.'),
  failed: z
    .object({
      code: z.string().describe('As in `details`.'),
      legs: z.array(
        z.object({
          venue: integer,
          venueName: venueName.optional(),
          pool: address,
          tokenIn: address,
          tokenOut: address,
        }),
      ),
    })
    .optional()
    .describe('Only with `no_route`: the route whose dry run on the live pools failed.'),
  unknown: z.array(z.string()).describe('What could not be told, in words; empty if nothing.'),
})

export type Explanation = z.infer<typeof explanation>
