import type { Hex } from 'viem'
import type { ServedChain } from './ServedChain.js'

/** A chain for which there is a config, with what its Hub would store. */
export type UndeployedChain = Pick<
  ServedChain,
  'chainId' | 'name' | 'wrappedNative' | 'usdc' | 'slu' | 'blockTimeMs'
> & { readonly storage: { readonly [slot: Hex]: Hex } }
