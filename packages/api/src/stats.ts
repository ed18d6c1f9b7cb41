import { z } from 'zod'
import { address, hex, integer } from './fields.js'

/** Why a chain has no figures. */
export const statsFaults = {
  syncing: 'The index has not reached the latest block of the chain yet; see `progress`.',
  not_deployed: 'No Router has code on the chain.',
  no_node: 'The service has no node for the chain.',
  rpc_unreachable: 'No node of the chain returned its logs.',
  rpc_inconsistent: "The responses of the chain's nodes contradict each other.",
  store_unreachable: 'The database of the index does not respond.',
  index_off: 'The service has no swap index.',
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
  ok: z.boolean().describe('Whether the chain was read. If not, its figures are null.'),
  code: z
    .enum(Object.keys(statsFaults) as [StatsFault, ...StatsFault[]])
    .optional()
    .describe('Why `ok` is false.'),
  error: z.string().optional(),
  fills: figure('Swap events of all generations.'),
  uniqueTraders: figure('Distinct values of `user`, the first indexed argument.'),
  daily: z
    .object({
      blocks: integer.describe('Blocks of each range: about as many as the chain makes in a day.'),
      fills: z.array(integer).describe('Swaps of each range, the oldest first.'),
    })
    .nullable()
    .describe(
      'Additive. Swaps in 30 equal ranges of blocks; the last one ends with `toBlock`. Null if the chain could not be read.',
    ),
  fromBlock: figure('First block counted.'),
  toBlock: figure('Last block counted.'),
  toBlockHash: hex
    .nullable()
    .describe('Hash of that block; the figures can differ on another branch.'),
  headBlock: figure('Latest block of the chain at the last check.'),
  lagBlocks: figure('headBlock - toBlock.'),
  progress: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Indexed share of the blocks from the first to the latest.'),
  readAt: integer
    .nullable()
    .describe('Last time at which the index had reached the latest block, in unix milliseconds.'),
  events: events.nullable().describe('Number of events by name.'),
  routers: z
    .array(z.object({ version: z.string(), address }))
    .describe('Contracts whose events are counted, of every generation.'),
  filter: z
    .object({
      address: z.array(address),
      topics: z.array(hex),
      fromBlock: hex,
      toBlock: hex,
    })
    .nullable()
    .describe(
      'Parameters of an `eth_getLogs` that reproduces the figures: `fills` is the number of logs, `uniqueTraders` the number of distinct `topics[1]`. Split the range if your node requires it.',
    ),
})

/** Schema of the response of GET /api/stats. */
export const statsResponse = z.object({
  ok: z.literal(true),
  totals: z.object({
    fills: figure('Sum over the chains that were read.'),
    uniqueTraders: figure('Distinct addresses on all those chains.'),
    chainsOk: integer.describe('Number of chains that were read.'),
    chainsTotal: integer,
    measured: z
      .boolean()
      .describe('Whether any chain was read; chainsOk and chainsTotal say how many.'),
  }),
  measuredAt: integer.describe('Time of the count, in unix milliseconds.'),
  chains: z.array(chain),
})

export type StatsResponse = z.infer<typeof statsResponse>
