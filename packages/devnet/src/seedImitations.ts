import type { Rpc } from '@sluice/deploy'
import type { Address, Hex } from 'viem'
import type { ChainSpec, ImitatedVenue } from './chains.js'
import { camelot } from './imitations/camelot.js'
import { fluidLite } from './imitations/fluidLite.js'
import type { Imitation } from './imitations/Imitation.js'
import { infinity } from './imitations/infinity.js'
import { liquidityBook } from './imitations/liquidityBook.js'
import { sendInOneBlock } from './transactions.js'

const imitations: Readonly<Record<ImitatedVenue, Imitation>> = {
  liquidityBook,
  camelotV2: camelot,
  infinityCl: infinity,
  fluidLite,
}

/** Pools by the id of their venue: addresses, or what pool hints say of them. */
export type ImitatedPools = Readonly<Record<string, readonly Hex[]>>

/** Creates a chain's imitations of venues, and their pools. */
export async function seedImitations(
  rpc: Rpc,
  chain: ChainSpec,
  account: Address,
): Promise<ImitatedPools> {
  const opened = chain.imitations.map((name) => {
    const { id, open } = imitations[name]
    return { id, ...open(chain, account) }
  })
  const transactions = opened.flatMap((each) => each.transactions)
  if (transactions.length > 0) await sendInOneBlock(rpc, transactions)
  return Object.fromEntries(opened.map(({ id, pools }) => [id, pools]))
}

/** The venues of a chain's imitations, in the format of a config file. */
export function imitatedVenues({ imitations: names }: ChainSpec): object[] {
  return names.map((adapter) => {
    const { id, registry } = imitations[adapter]
    return { id, kind: 'adapter', adapter, factory: registry() }
  })
}
