import { Reverts } from '@sluice/domain'
import type { Hex } from 'viem'

/** Why a contract reverted. */
export type Revert = {
  /** Name of the error: `Error` for a revert text, `Panic` for a Solidity panic, "an unknown error" if it is unknown. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
  /** Kind of contract that declares the error, if known. */
  readonly origin?: 'sluice' | 'token' | 'permit2' | 'pool' | undefined
  /** Meaning of the error, if known. */
  readonly meaning?: string | undefined
  /** What to do next, if known. */
  readonly advice?: string | undefined
  /** The revert inside this one, such as a token's own error. */
  readonly cause?: Revert | undefined
}

/** Finds the revert in an error of viem; `undefined` if no contract reverted. */
export function revertOf(error: unknown): Revert | undefined {
  for (let cause = error; cause instanceof Object; cause = (cause as { cause?: unknown }).cause) {
    const { code, data } = cause as { code?: unknown; data?: unknown }
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (typeof hex === 'string' && /^0x[0-9a-f]*$/i.test(hex)) return Reverts.read(hex as Hex)
    if (code === 3) return Reverts.read('0x')
  }
  return undefined
}
