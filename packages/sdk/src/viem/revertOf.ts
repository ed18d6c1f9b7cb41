import { errorsAbi } from '@sluice/abi'
import { decodeErrorResult, type Hex } from 'viem'

/** Why a contract reverted. */
export type Revert = {
  /** Name of the protocol's error, `Error`, `Panic` or "an unknown error". */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
}

/** The revert inside a client's error; `undefined` where the error is not one of a contract. */
export function revertOf(error: unknown): Revert | undefined {
  for (let cause = error; cause instanceof Object; cause = (cause as { cause?: unknown }).cause) {
    const { code, data } = cause as { code?: unknown; data?: unknown }
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (typeof hex === 'string' && /^0x[0-9a-f]*$/i.test(hex)) return decode(hex as Hex)
    if (code === 3) return decode('0x')
  }
  return undefined
}

function decode(data: Hex): Revert {
  try {
    const { args, errorName } = decodeErrorResult({ abi: errorsAbi, data })
    return { name: errorName, args: (args ?? []) as readonly unknown[], data }
  } catch {
    return { name: 'an unknown error', args: [], data }
  }
}
