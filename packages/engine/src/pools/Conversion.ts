import type { Address } from 'viem'

/** Two tokens that a converter may exchange; addresses in lower case. */
export type Conversion = {
  /** The venue's adapter, which says whether it is so. */
  readonly adapter: Address
  /** The converter: for a vault, its share. */
  readonly pool: Address
  /** In the order of their addresses. */
  readonly tokens: readonly [Address, Address]
  /** Whether the Hub's owner chose the converter. Anybody can create a vault. */
  readonly isListed: boolean
}

/** @param tokens In lower case, in any order. */
export function conversionOf(
  converter: Omit<Conversion, 'tokens'>,
  [a, b]: readonly [Address, Address],
): Conversion {
  return { ...converter, tokens: a < b ? [a, b] : [b, a] }
}
