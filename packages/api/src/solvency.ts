import { z } from 'zod'
import { address, decimal, hex, integer } from './fields.js'

/** Schema of the response of GET /api/badge: version 1 of the endpoint schema of badge services, without other members. */
export const badgeResponse = z.strictObject({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.enum(['solvent', 'insolvent', 'unknown', 'not deployed']),
  color: z.enum(['brightgreen', 'red', 'lightgrey']),
  isError: z
    .literal(true)
    .optional()
    .describe('Set if not solvent, so that the embedding page cannot choose another color.'),
})

const status = z
  .enum(['solvent', 'insolvent', 'unknown', 'not_deployed'])
  .describe('`unknown` means that the chain could not be read; it may be solvent or not.')

const amount = decimal('Base units of SLU.')

const report = z
  .object({
    backing: amount,
    owed: amount,
    surplus: amount,
    deficit: amount,
    solvent: z.boolean(),
    collateralRatioWad: decimal(
      'backing / owed, scaled by 1e18; the maximum uint256 if nothing is owed.',
    ),
    totalStaked: amount,
    rewardReserve: amount,
    pendingRewards: amount,
  })
  .describe('Result of `solvency()`.')

const jsonRpc = z.object({
  jsonrpc: z.literal('2.0'),
  id: integer,
  method: z.literal('eth_call'),
  params: z
    .array(z.union([z.object({ to: address, data: hex }), z.object({ blockHash: hex })]))
    .describe('The call and its block (EIP-1898).'),
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
      balance: hex.optional().describe('Balance of Staking according to the token.'),
    })
    .describe('The unmodified responses of the node.'),
  rpcRequest: jsonRpc.describe('The same call, for your own node; its result is `raw.solvency`.'),
  curl: z.string(),
  cast: z.string(),
  ledger: z
    .array(
      z.object({
        symbol: z.string(),
        token: address,
        decimals: integer.nullable(),
        held: decimal('Balance of Core, in base units.').nullable(),
        t1: decimal("The stakers' share, as last recorded.").nullable(),
        t2: decimal("The treasury's share, as last recorded.").nullable(),
      }),
    )
    .describe("Core's fee ledger; null if a line could not be read."),
})

/** Schema of the response of GET /api/solvency. */
export const solvencyResponse = z.object({
  ok: z.literal(true),
  status: status.describe('The worst status of all deployed generations.'),
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
      reading: reading.nullable().describe('Null if there is no current reading.'),
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
