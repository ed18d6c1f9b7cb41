import { venueKinds } from '@sluice/abi'

/** Name of a venue kind in configurations. The kind tells the formula and the calls of a venue's pools. */
export type Name = keyof typeof venueKinds

/** Property of a kind. `contracts/src/types/VenueKind.sol` explains each trait. */
export type Trait = (typeof venueKinds)[Name]['traits'][number]

/** The kinds that have a trait. */
export type With<trait extends Trait> = {
  [name in Name]: trait extends (typeof venueKinds)[name]['traits'][number] ? name : never
}[Name]

/** Names of all kinds, in the order of their numbers. */
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

/** Tells whether a value is the name of a kind. */
export function isName(value: unknown): value is Name {
  return typeof value === 'string' && Object.hasOwn(venueKinds, value)
}
