import { Reverts } from '@sluice/domain'
import type { Hex } from 'viem'

/** Why a contract reverted. */
export type Revert = {
  /** Name of the error; `Error` for a plain text, `Panic` for a fault of arithmetic, else "an unknown error". */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
  /** Whose error it is, if it is known. */
  readonly origin?: 'sluice' | 'token' | 'permit2' | 'pool' | undefined
  /** What it means, if it is known. */
  readonly meaning?: string | undefined
  /** What to do next, if it is known. */
  readonly advice?: string | undefined
  /** The revert that this one carries: a token's own reason. */
  readonly cause?: Revert | undefined
}

/** The revert inside a client's error; `undefined` if the error is not one of a contract. */
export function revertOf(error: unknown): Revert | undefined {
  for (let cause = error; cause instanceof Object; cause = (cause as { cause?: unknown }).cause) {
    const { code, data } = cause as { code?: unknown; data?: unknown }
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (typeof hex === 'string' && /^0x[0-9a-f]*$/i.test(hex)) return Reverts.read(hex as Hex)
    if (code === 3) return Reverts.read('0x')
  }
  return undefined
}
