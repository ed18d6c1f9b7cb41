import { venueKinds } from '@sluice/abi'

/** Which mathematics and which calls a venue's pools have, by its name in configs; the contracts' `VenueKind`. */
export type Name = keyof typeof venueKinds

/** What can be true of a kind. `contracts/src/types/VenueKind.sol` says what each trait means. */
export type Trait = (typeof venueKinds)[Name]['traits'][number]

/** The kinds that have a trait. */
export type With<trait extends Trait> = {
  [name in Name]: trait extends (typeof venueKinds)[name]['traits'][number] ? name : never
}[Name]

/** Every kind, in the order of the numbers. */
export const names = Object.keys(venueKinds) as Name[]

/**
 * Returns the number that a Hub stores for a kind.
 *
 * @example
 * VenueKind.numberOf('uniswapV2')
 * // 1
 */
export function numberOf(name: Name): number {
  return venueKinds[name].number
}

/**
 * Tells whether a kind has a trait.
 *
 * @example
 * VenueKind.has('curve', 'listed')
 * // true
 */
export function has<trait extends Trait>(name: Name, trait: trait): name is With<trait> {
  return venueKinds[name].traits.some((each) => each === trait)
}

/** Tells whether a text names a kind. */
export function isName(value: unknown): value is Name {
  return typeof value === 'string' && Object.hasOwn(venueKinds, value)
}
