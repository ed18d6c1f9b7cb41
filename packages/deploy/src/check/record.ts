import { type Address, type Hex, isAddressEqual, numberToHex } from 'viem'
import { parseChainConfig } from '../parseChainConfig.js'
import type { Rpc } from '../rpc.js'
import { benchOf, type Override } from './Bench.js'
import type { Attempted } from './Comparison.js'
import type { Recording } from './Recording.js'
import { readTokens } from './readTokens.js'
import { recordState } from './recordState.js'
import { attempt } from './replay.js'
import type { Ask } from './TrialCalls.js'

type ConfigFile = {
  readonly venues: readonly { readonly id: string }[]
  readonly pools?: readonly { readonly venue: string; readonly address: Address }[]
}

/**
 * Records a swap: reads all state that finding the pool, swapping and pricing touch.
 *
 * @returns `undefined` if the node does not tell what a call touches.
 */
export async function record(
  rpc: Rpc,
  { block, configFile, swap }: { block: Hex; configFile: unknown; swap: Attempted },
): Promise<Recording | undefined> {
  const narrow = narrowed(configFile as ConfigFile, swap)
  const bench = benchOf(parseChainConfig(narrow))
  const facts = await readTokens(rpc, [swap.tokenIn], block)
  const { slot } = facts.get(swap.tokenIn)!
  const held = numberToHex(2n * swap.amountIn, { size: 32 })
  const funds: Override = slot ? { [swap.tokenIn]: { stateDiff: { [slot]: held } } } : {}
  const { key, ...named } = swap
  const place = { ...named, key: String(key), amountIn: String(swap.amountIn) }
  const run = async (ask: Ask) => await attempt(ask, bench, place)
  const recorded = await recordState(rpc, { bench, block, funds, run })
  if (recorded === undefined) return undefined
  const { blockNumber, chainId, result, state, timestamp } = recorded
  return {
    ...{ schema: 1, chainId, blockNumber, timestamp },
    configFile: narrow,
    pool: swap.pool,
    key: place.key,
    tokenIn: swap.tokenIn,
    tokenOut: swap.tokenOut,
    amountIn: place.amountIn,
    amountOut: String(result.amountOut),
    state,
  }
}

/** The config with the venue of the pool alone, so that little else is read. */
function narrowed(file: ConfigFile, { pool, venue }: Attempted): object {
  const venues = file.venues.filter(({ id }) => id === venue)
  const pools = (file.pools ?? []).filter(
    (each) => each.venue === venue && isAddressEqual(each.address, pool),
  )
  return { ...file, connectorTokens: [], venues, pools }
}
