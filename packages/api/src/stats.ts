import { z } from 'zod'
import { address, hex, integer } from './responses.js'

/** Why a chain has no figures, and what each code stands for. */
export const statsFaults = {
  syncing: 'The index of the chain has not reached its latest block yet; see `progress`.',
  not_deployed: 'No Router has code on the chain.',
  no_node: 'The service has no node of the chain.',
  rpc_unreachable: 'No node of the chain gave its logs.',
  rpc_inconsistent: 'What the nodes of the chain answer contradicts itself.',
  store_unreachable: 'The store of the index does not answer.',
  index_off: 'The service keeps no index.',
} as const

export type StatsFault = keyof typeof statsFaults

const figure = (meaning: string) => integer.nullable().describe(meaning)
const events = z.object({
  Swap: integer,
  ExecutionProof: integer,
  Fee: integer,
  Surplus: integer,
})

const chain = z.object({
  chainId: integer,
  name: z.string(),
  ok: z.boolean().describe('Whether the chain was read. Where it was not, its figures are null.'),
  code: z
    .enum(Object.keys(statsFaults) as [StatsFault, ...StatsFault[]])
    .optional()
    .describe('Where `ok` is false: why.'),
  error: z.string().optional(),
  fills: figure('Swap events of all generations.'),
  uniqueTraders: figure('Different values of their first indexed argument, `user`.'),
  fromBlock: figure('First block that is counted.'),
  toBlock: figure('Last block that is counted.'),
  toBlockHash: hex.nullable().describe('Its hash: on another branch the figures can differ.'),
  headBlock: figure("The chain's latest block when the index last looked."),
  lagBlocks: figure('headBlock - toBlock.'),
  progress: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Part of the blocks from the first to the latest that is indexed.'),
  readAt: integer
    .nullable()
    .describe("Unix milliseconds when the index last was at the chain's latest block."),
  events: events.nullable().describe('How many of each event were counted.'),
  routers: z
    .array(z.object({ version: z.string(), address }))
    .describe('The contracts whose events count, of every generation.'),
  filter: z
    .object({
      address: z.array(address),
      topics: z.array(hex),
      fromBlock: hex,
      toBlock: hex,
    })
    .nullable()
    .describe(
      'Parameters of the `eth_getLogs` that reproduces the figures: `fills` is the number of logs, `uniqueTraders` that of the different `topics[1]`. Split the range where your node asks for it.',
    ),
})

export const statsResponse = z.object({
  ok: z.literal(true),
  totals: z.object({
    fills: figure('Of the chains that were read.'),
    uniqueTraders: figure('Different addresses on those chains together, each counted once.'),
    chainsOk: integer.describe('Chains that were read.'),
    chainsTotal: integer,
    measured: z
      .boolean()
      .describe('Whether any chain was read. Compare chainsOk with chainsTotal for how many.'),
  }),
  measuredAt: integer.describe('Unix milliseconds when the index was counted.'),
  chains: z.array(chain),
})

export type StatsResponse = z.infer<typeof statsResponse>
