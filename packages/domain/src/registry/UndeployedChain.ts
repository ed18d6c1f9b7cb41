import type { Hex } from 'viem'
import type { Adapter } from './Adapters.js'
import type { ServedChain } from './ServedChain.js'

type Storage = { readonly [slot: Hex]: Hex }

/** A chain with a built-in configuration, and the storage that its Hub and its Router of 1.0.0 would have. */
export type UndeployedChain = Pick<
  ServedChain,
  'chainId' | 'name' | 'wrappedNative' | 'usdc' | 'slu' | 'blockTimeMs'
> & {
  readonly adapters: readonly Adapter[]
  readonly storage: { readonly hub: Storage; readonly router: Storage }
}
