import { z } from 'zod'
import { address, decimal, hex, integer } from './responses.js'

/** The answer that a badge-rendering service reads: its endpoint schema of version 1, and no member beyond it. */
export const badgeResponse = z.strictObject({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.enum(['solvent', 'insolvent', 'unknown', 'not deployed']),
  color: z.enum(['brightgreen', 'red', 'lightgrey']),
  isError: z
    .literal(true)
    .optional()
    .describe('Where it is not solvent: nobody can choose another colour then.'),
})

const status = z
  .enum(['solvent', 'insolvent', 'unknown', 'not_deployed'])
  .describe('`unknown` where the chain could not be read: it says nothing either way.')

const amount = decimal('Base units of SLU.')

const report = z
  .object({
    backing: amount,
    owed: amount,
    surplus: amount,
    deficit: amount,
    solvent: z.boolean(),
    collateralRatioWad: decimal(
      'backing / owed in 1e-18; the greatest uint256 where nothing is owed.',
    ),
    totalStaked: amount,
    rewardReserve: amount,
    pendingRewards: amount,
  })
  .describe('What `solvency()` answered.')

const jsonRpc = z.object({
  jsonrpc: z.literal('2.0'),
  id: integer,
  method: z.literal('eth_call'),
  params: z
    .array(z.union([z.object({ to: address, data: hex }), z.object({ blockHash: hex })]))
    .describe('The call and, by EIP-1898, its block.'),
})

const reading = z.object({
  blockNumber: integer,
  blockHash: hex,
  blockTimestamp: integer.describe('Unix seconds.'),
  readAt: integer.describe('Unix milliseconds.'),
  solvency: report,
  raw: z
    .object({
      solvency: hex,
      isSolvent: hex,
      balance: hex.optional().describe("The token's own word on what Staking holds."),
    })
    .describe("The node's answers as they came."),
  rpcRequest: jsonRpc.describe(
    'The call again, for a node of your own; its answer is `raw.solvency`.',
  ),
  curl: z.string(),
  cast: z.string(),
  ledger: z
    .array(
      z.object({
        symbol: z.string(),
        token: address,
        decimals: integer.nullable(),
        held: decimal('What Core holds, in base units.').nullable(),
        t1: decimal("The stakers' part, as last recorded.").nullable(),
        t2: decimal("The treasury's part, as last recorded.").nullable(),
      }),
    )
    .describe("Core's fee ledger; null where a line could not be read."),
})

export const solvencyResponse = z.object({
  ok: z.literal(true),
  status: status.describe('The worst of all generations that are deployed.'),
  now: integer.describe('Unix milliseconds.'),
  generations: z.array(
    z.object({
      chainId: integer,
      name: z.string(),
      version: z.string(),
      status,
      staking: address,
      core: address,
      abi: z.string().describe('Path of the ABI.'),
      reading: reading.nullable().describe('Null where there is none now.'),
      problem: z
        .object({
          code: z.enum(['rpc_unreachable', 'rpc_stale', 'bad_result', 'not_served']),
          reason: z.string(),
        })
        .optional()
        .describe('Why the status is `unknown`.'),
      history: z
        .array(
          z.object({
            blockNumber: integer,
            readAt: integer,
            backing: amount,
            owed: amount,
            solvent: z.boolean(),
          }),
        )
        .describe('The latest readings of this process, newest first.'),
    }),
  ),
})

export type BadgeResponse = z.infer<typeof badgeResponse>
export type SolvencyResponse = z.infer<typeof solvencyResponse>
