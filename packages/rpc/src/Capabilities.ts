/** Known abilities of a node, learned from what it rejects and from probes of the caller. */
export type Capabilities = {
  /** JSON-RPC batches; true until the node rejects one. */
  takesBatches: boolean
  /** Calls with a block hash (EIP-1898); true until the node rejects one, or responds for a hash that no block has. */
  takesBlockHash: boolean
  /** Last time at which a rejected call by hash turned out to have another cause, in monotonic milliseconds. */
  hashClearedAt: number
  /** State overrides; `undefined` if unknown. */
  takesOverrides: boolean | undefined
  /** Maximum gas of a call; `undefined` if the node has not rejected any. */
  gasCap: bigint | undefined
  /** Opcodes of Cancun; `undefined` if unknown. */
  hasCancun: boolean | undefined
}

/** Initial capabilities of a node. */
export function newCapabilities(): Capabilities {
  return {
    takesBatches: true,
    takesBlockHash: true,
    hashClearedAt: Number.NEGATIVE_INFINITY,
    takesOverrides: undefined,
    gasCap: undefined,
    hasCancun: undefined,
  }
}
