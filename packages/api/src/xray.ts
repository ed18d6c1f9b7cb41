import { z } from 'zod'
import { address, hex, integer } from './fields.js'
import { quoteParameters, tokenText } from './parameters.js'
import { resolvedToken } from './responses.js'

/** Query of GET /api/xray. */
export const xrayParameters = z.object({
  chain: quoteParameters.shape.chain,
  token: tokenText.describe(
    'Token to examine: 0x-address or any traded symbol. A symbol resolves to the token with the deepest real liquidity, shown in `resolved`.',
  ),
})

const verdict = z
  .enum(['real', 'phantom', 'unknown'])
  .describe('`unknown` means that something could not be read.')
const usd = z.number().nonnegative().nullable()
const bps = z.number().int().nullable()
const whole = z
  .string()
  .regex(/^[0-9]+(\.[0-9]+)?$/)
  .nullable()

const rpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.literal(1),
  method: z.literal('eth_call'),
  params: z
    .array(z.unknown())
    .describe('The call, its block, and the state override with the code that it runs.'),
})

const side = z.object({
  token: address,
  reported: whole.describe('Whole tokens reported by the source; null if it reports none.'),
  onchain: whole.describe('Whole tokens returned by `balanceOf(pair)`; null if not read.'),
  deltaBps: bps.describe(
    'Difference of onchain from reported, in basis points; negative if onchain is lower.',
  ),
  balance: z
    .string()
    .regex(/^[0-9]+$/)
    .nullable()
    .describe('Additive. The same in base units.'),
  decimals: integer.nullable().describe('Additive. Decimals according to the token.'),
  call: z
    .object({ to: address, data: hex })
    .optional()
    .describe('Additive. This single read, for an eth_call at `blockNumber`.'),
})

const pool = z.object({
  pair: hex
    .or(address)
    .describe('Address of the pool, or its id in a contract that holds many pools.'),
  dex: z.string().max(32).nullable(),
  method: z
    .enum(['balanceOf', 'unsupported_singleton'])
    .describe(
      '`unsupported_singleton`: the pool shares a contract with others, so `balanceOf` cannot tell its reserves; it is left out of the score.',
    ),
  base: side,
  quote: side,
  reportedUsd: usd.describe('Additive.'),
  onchainUsd: usd.describe("Additive. At the source's own prices."),
  phantomBps: bps.describe(
    'Reported reserves that are not on chain, in basis points of the report; null if not compared.',
  ),
  verdict,
})

const taxBps = integer.max(10_000).nullable()

const tax = z
  .object({
    buyBps: taxBps.describe('Tax on transfers from a pool.'),
    sellBps: taxBps.describe('Tax on transfers to a pool.'),
    transferBps: taxBps.describe('Tax on transfers between other addresses.'),
    reason: z.string().nullable().describe('Why a tax was not measured.'),
    rpcRequests: z.array(rpcRequest).describe('The calls that measured it.'),
  })
  .describe(
    "Additive. The token's tax on transfers, measured by making transfers in an eth_call; null means unknown, not zero.",
  )

/** Schema of the response of GET /api/xray. */
export const xrayResponse = z.object({
  ok: z.literal(true),
  chainId: integer,
  token: address,
  resolved: resolvedToken.optional().describe('Only if a symbol was resolved.'),
  source: z.string().describe('Source of the report.'),
  blockNumber: integer.describe('Block of all reads except the tax.'),
  blockHash: hex.optional().describe('Additive.'),
  readAt: integer.describe('Additive. Unix milliseconds.'),
  stale: z
    .literal(true)
    .optional()
    .describe(
      'Additive. The source or the chain is unavailable; this is the last report, as of `readAt`.',
    ),
  toleranceBps: integer.describe('Additive. Smaller differences are ignored.'),
  summary: z
    .object({
      pools: integer,
      compared: integer.describe('Pools whose reserves could be compared with balances.'),
      reportedUsd: usd,
      onchainUsd: usd,
      phantomUsd: usd,
      phantomBps: bps.describe('phantomUsd as a share of reportedUsd, in basis points.'),
      verdict,
    })
    .describe('Sums over the compared pools.'),
  pools: z.array(pool),
  tax,
  rpcRequest: rpcRequest.describe('Additive. The single call that read everything.'),
  curl: z.string().describe('Additive. The same as a shell command.'),
})

export type XrayResponse = z.infer<typeof xrayResponse>
