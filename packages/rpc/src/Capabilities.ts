/** What a node can do, as far as it has shown: learned from what it refuses, and by probes of the caller. */
export type Capabilities = {
  /** JSON-RPC batches; true until it refuses one. */
  takesBatches: boolean
  /** Calls that name their block by hash (EIP-1898); true until it refuses one, or answers for a hash that no block has. */
  takesBlockHash: boolean
  /** When a refusal of a call by hash last turned out to be about something else (monotonic milliseconds). */
  hashClearedAt: number
  /** State overrides; `undefined` if that is not known. */
  takesOverrides: boolean | undefined
  /** The most gas that a call may ask for, if it refuses more. */
  gasCap: bigint | undefined
  /** Opcodes of Cancun; `undefined` if that is not known. */
  hasCancun: boolean | undefined
}

/** Of a node that was never asked. */
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
