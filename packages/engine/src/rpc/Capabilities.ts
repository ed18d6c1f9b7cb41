/** What a node of some make can do, as far as it has shown. Learned by probes, and from what it refuses. */
export type Capabilities = {
  /** Until it refuses one. */
  takesBatches: boolean
  /** Calls can name their block by hash (EIP-1898); until it refuses one, or answers for a hash that no block has. */
  takesBlockHash: boolean
  /** When a refusal of a call by hash last turned out to be about something else (monotonic milliseconds). */
  hashClearedAt: number
  /** State overrides; `undefined` where that is not known. */
  takesOverrides: boolean | undefined
  /** The most gas that a call may ask for, where it refuses more. */
  gasCap: bigint | undefined
  /** Opcodes of Cancun, which the contracts need; `undefined` where that is not known. */
  hasCancun: boolean | undefined
}

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
