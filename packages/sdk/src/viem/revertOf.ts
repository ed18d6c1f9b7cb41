import { Reverts } from '@sluice/domain'
import type { Hex } from 'viem'

/** Why a contract reverted. */
export type Revert = Reverts.Revert

/** The revert inside a client's error; `undefined` where the error is not one of a contract. */
export function revertOf(error: unknown): Revert | undefined {
  for (let cause = error; cause instanceof Object; cause = (cause as { cause?: unknown }).cause) {
    const { code, data } = cause as { code?: unknown; data?: unknown }
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (typeof hex === 'string' && /^0x[0-9a-f]*$/i.test(hex)) return Reverts.read(hex as Hex)
    if (code === 3) return Reverts.read('0x')
  }
  return undefined
}
