import { Adapters } from '@sluice/domain'
import { type Address, type Hex, toFunctionSelector } from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { VenueEntry } from '../parseVenue.js'
import type { Rpc } from '../rpc.js'
import { pairOf, pairsOf, type TokenPair } from './pairs.js'
import { readChain } from './readChain.js'
import { addressIn } from './venueReads.js'

type Adapter = NonNullable<VenueEntry['adapter']>

const asset = toFunctionSelector('asset()')

/** Adapters of contracts that exchange two tokens at one price. They need not hold what they pay. */
const converters: ReadonlySet<Adapter | undefined> = new Set<Adapter>([
  'daiUsds',
  'erc4626',
  'litePsm',
  'psm3',
  'wstEth',
])

export function isConverter({ adapter }: Pick<VenueEntry, 'adapter'>): boolean {
  return converters.has(adapter)
}

/**
 * Pairs of the config's converters, and of the vaults among some tokens with their assets.
 *
 * @param tokens Tokens that may be vaults.
 */
export async function findConversions(
  rpc: Rpc,
  { venues, wrappedNative }: ChainConfig,
  { block, tokens }: { block: Hex; tokens: readonly Address[] },
): Promise<readonly TokenPair[]> {
  const pairs: TokenPair[] = []
  for (const { adapter, factory } of venues) {
    if (adapter === 'wstEth') pairs.push(pairOf(wrappedNative, factory))
    if (adapter === 'erc4626') pairs.push(...(await pairsOfVaults(rpc, tokens, block)))
    const getters = (adapter && Adapters.tokenGetters[adapter]) ?? []
    const reads = getters.map((getter) => ({ to: factory, data: toFunctionSelector(getter) }))
    const answers = await readChain(rpc, reads, block)
    pairs.push(...pairsOf(answers.flatMap((answer) => addressIn(answer) ?? [])))
  }
  return pairs
}

async function pairsOfVaults(
  rpc: Rpc,
  tokens: readonly Address[],
  block: Hex,
): Promise<readonly TokenPair[]> {
  const answers = await readChain(
    rpc,
    tokens.map((to) => ({ to, data: asset })),
    block,
  )
  return tokens.flatMap((vault, index): TokenPair[] => {
    const underlying = answers[index]?.length === 66 ? addressIn(answers[index]) : undefined
    return underlying ? [pairOf(vault, underlying)] : []
  })
}
