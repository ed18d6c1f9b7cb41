import type { Hex } from 'viem'
import type { LensAnswer } from '../lens/askLens.js'

/** Decodes the result of `symbol()` or `name()`, as far as the Lens copied it: a string, or 32 bytes in old tokens. */
export function textOf(answer: LensAnswer | undefined): string | undefined {
  if (!answer?.ok) return undefined
  const { size, words } = answer
  if (size === 32n) return decode(words[0].replace(/(00)+$/, '') as Hex)
  const [offset, length] = [BigInt(words[0]), BigInt(words[1])]
  if (size < 64n || offset !== 32n || length > 512n || size < 64n + length) return undefined
  return decode(words[2].slice(0, 2 + 2 * Math.min(Number(length), 32)) as Hex)
}

function decode(bytes: Hex): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes.slice(2), 'hex'))
  } catch {
    return undefined
  }
}
