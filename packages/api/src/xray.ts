import { z } from 'zod'
import { quoteParameters, tokenText } from './parameters.js'
import { address, hex, integer, resolvedToken } from './responses.js'

/** Query of GET /api/xray. */
export const xrayParameters = z.object({
  chain: quoteParameters.shape.chain,
  token: tokenText.describe(
    'Token to look through: 0x-address or any traded symbol, which is resolved to the token with the deepest real liquidity and echoed in `resolved`.',
  ),
})

const verdict = z
  .enum(['real', 'phantom', 'unknown'])
  .describe('`unknown` is no verdict: something that it needs could not be read.')
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
  params: z.array(z.unknown()).describe('The call, its block and the code that it brings along.'),
})

const side = z.object({
  token: address,
  reported: whole.describe('Whole tokens that the source reports; null where it reports none.'),
  onchain: whole.describe('Whole tokens that `balanceOf(pair)` gave; null where it was not read.'),
  deltaBps: bps.describe('onchain above reported, in basis points; below it, negative.'),
  balance: z
    .string()
    .regex(/^[0-9]+$/)
    .nullable()
    .describe('Additive. The same in base units.'),
  decimals: integer.nullable().describe('Additive. What the token says of itself.'),
  call: z
    .object({ to: address, data: hex })
    .optional()
    .describe('Additive. This read alone, for an eth_call at `blockNumber`.'),
})

const pool = z.object({
  pair: hex.or(address).describe('Address of the pool, or its id in a contract of many.'),
  dex: z.string().max(32).nullable(),
  method: z
    .enum(['balanceOf', 'unsupported_singleton'])
    .describe(
      '`unsupported_singleton`: the pool shares one contract with others, which cannot be asked for it; left out of the score.',
    ),
  base: side,
  quote: side,
  reportedUsd: usd.describe('Additive.'),
  onchainUsd: usd.describe("Additive. At the source's own prices."),
  phantomBps: bps.describe('Part of the report that is not there; null where it was not compared.'),
  verdict,
})

const taxBps = integer.max(10_000).nullable()

const tax = z
  .object({
    buyBps: taxBps.describe('Kept back when the pool pays.'),
    sellBps: taxBps.describe('Kept back when the pool is paid.'),
    transferBps: taxBps.describe('Kept back between others.'),
    reason: z.string().nullable().describe('Why something was not measured.'),
    rpcRequests: z.array(rpcRequest).describe('The calls with which it was measured.'),
  })
  .describe(
    'Additive. What the token keeps back of transfers, measured by making them in an eth_call; null is unknown, not zero.',
  )

export const xrayResponse = z.object({
  ok: z.literal(true),
  chainId: integer,
  token: address,
  resolved: resolvedToken.optional().describe('Only where a symbol was looked up.'),
  source: z.string().describe('Whose report is held against the chain.'),
  blockNumber: integer.describe('Block of everything that was read but the tax.'),
  blockHash: hex.optional().describe('Additive.'),
  readAt: integer.describe('Additive. Unix milliseconds.'),
  stale: z
    .literal(true)
    .optional()
    .describe(
      'Additive. The source or the chain is down; this is the last report, as of `readAt`.',
    ),
  toleranceBps: integer.describe('Additive. Less than this is no difference.'),
  summary: z
    .object({
      pools: integer,
      compared: integer.describe('Pools whose reserves could be held against their balances.'),
      reportedUsd: usd,
      onchainUsd: usd,
      phantomUsd: usd,
      phantomBps: bps.describe('phantomUsd in reportedUsd.'),
      verdict,
    })
    .describe('Sums over the compared pools.'),
  pools: z.array(pool),
  tax,
  rpcRequest: rpcRequest.describe('Additive. The one call with which everything was read.'),
  curl: z.string().describe('Additive. The same as a command.'),
})

export type XrayResponse = z.infer<typeof xrayResponse>
