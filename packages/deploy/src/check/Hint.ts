import type { Address, Hex } from 'viem'
import type { TokenPair } from './pairs.js'

/** A pool that an adapter finds only if it is proposed (its address or id), two of its tokens, and the contract that holds them. */
export type Hint = { readonly pair: TokenPair; readonly pool: Hex; readonly holder: Address }
