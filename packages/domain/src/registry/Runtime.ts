import type { Address, Hex } from 'viem'
import * as Words from '../values/Words.js'

/** Runtime code of a contract whose immutables are all addresses. */
export type Runtime = {
  readonly code: Hex
  /** Positions of each immutable in the code, in bytes, in the order of declaration. */
  readonly references: readonly (readonly { readonly start: number; readonly length: number }[])[]
}

/** Fills the immutables of runtime code. They are the constructor arguments, in the same order. */
export function withImmutables({ code, references }: Runtime, args: readonly Address[]): Hex {
  let digits = code.slice(2)
  for (const [index, places] of references.entries())
    for (const { length, start } of places)
      digits =
        digits.slice(0, 2 * start) +
        Words.address(args[index]!) +
        digits.slice(2 * (start + length))
  return `0x${digits}`
}
