import { type Address, type Hex, toFunctionSelector } from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { VenueEntry } from '../parseVenue.js'
import type { Rpc } from '../rpc.js'
import { pairOf, pairsOf, type TokenPair } from './pairs.js'
import { readChain } from './readChain.js'
import { addressIn } from './venueReads.js'

type Adapter = NonNullable<VenueEntry['adapter']>

/** Functions with which converters name their tokens. WstETH is itself the second token, and the wrapped native token the first. */
const getters: { readonly [adapter in Adapter]?: readonly Hex[] } = {
  daiUsds: ['dai()', 'usds()'].map(toFunctionSelector),
  litePsm: ['gem()', 'dai()'].map(toFunctionSelector),
  psm3: ['usdc()', 'usds()', 'susds()'].map(toFunctionSelector),
}
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
    const reads = (adapter && getters[adapter])?.map((data) => ({ to: factory, data })) ?? []
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
