import type { Hex } from 'viem'
import type { ServedChain } from './ServedChain.js'

/** A chain with a built-in configuration, and the storage that its Hub would have. */
export type UndeployedChain = Pick<
  ServedChain,
  'chainId' | 'name' | 'wrappedNative' | 'usdc' | 'slu' | 'blockTimeMs'
> & { readonly storage: { readonly [slot: Hex]: Hex } }
