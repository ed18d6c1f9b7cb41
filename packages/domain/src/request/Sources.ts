import type { ServedChain } from '../registry/ServedChain.js'
import type { Venue } from '../registry/Venues.js'
import * as Texts from '../values/Texts.js'

/** Maximum number of sources in a request: as many venues as a Hub has. */
export const maxSources = 64
/** Parameters that choose the venues of a route. Only one of them may be sent. */
export const names = ['includeSources', 'excludeSources'] as const
export type Name = (typeof names)[number]

/** What is needed of a chain's venues, by number. */
export type KnownVenues = ReadonlyMap<number, KnownVenue>
type KnownVenue = Pick<Venue, 'isEnabled' | 'name' | 'number'>

/** A list of venues: names as in GET /api/sources, or numbers of venues. */
const form = /^[^,]{1,40}(,[^,]{1,40}){0,63}$/

/** Why a list of venues is malformed; `undefined` if it is not. */
export function problemOf(text: string): string | undefined {
  return form.test(text) ? undefined : `must be 1 to ${maxSources} venues, comma-separated`
}

/**
 * Resolves the venues that a route may not use.
 *
 * @param options.venues The venues of the chain. Without them, only `excludeSources` with numbers can be resolved.
 * @returns Numbers of venues, each once, ascending; or why the list is invalid.
 */
export function resolve(chain: NamedChain, options: resolve.Options): Resolved {
  const { name, venues } = options
  const isIncluding = name === 'includeSources'
  if (venues === undefined && isIncluding) return { reason: unknownReason(chain) }
  const listed = resolveList(chain, options)
  if ('reason' in listed) return listed
  const enabled = [...(venues?.values() ?? [])].filter(({ isEnabled }) => isEnabled)
  const excluded = isIncluding
    ? enabled.map(({ number }) => number).filter((number) => !listed.venues.has(number))
    : [...listed.venues]
  if (venues !== undefined && enabled.every(({ number }) => excluded.includes(number)))
    return { reason: `leaves no venue of ${chain.name}` }
  return { excluded: excluded.sort((a, b) => a - b) }
}

type NamedChain = Pick<ServedChain, 'name'>
type Resolved = { readonly excluded: readonly number[] } | Refused
type Refused = { readonly reason: string }

export declare namespace resolve {
  type Options = {
    name: Name
    list: string
    venues: KnownVenues | undefined
  }
}

/**
 * Resolves the venues that a list consists of.
 *
 * @param options.venues The venues of the chain. Without them, only numbers can be resolved.
 * @returns Numbers of venues; or why the list is invalid.
 */
export function resolveList(
  chain: NamedChain,
  { list, venues }: Omit<resolve.Options, 'name'>,
): { readonly venues: ReadonlySet<number> } | Refused {
  if (venues === undefined && !isNumbered(list)) return { reason: unknownReason(chain) }
  const enabled = venues && [...venues.values()].filter(({ isEnabled }) => isEnabled)
  const chosen = new Set<number>()
  for (const each of list.split(',')) {
    const numbers = numbersOf(each, enabled)
    if (numbers.length === 0)
      return {
        reason: `names ${Texts.shownName(each)}, which is no venue of ${chain.name}; send some of ${(enabled ?? []).map((venue) => venue.name).join(', ')}`,
      }
    for (const number of numbers) chosen.add(number)
  }
  return { venues: chosen }
}

/** Whether a list has numbers only, so that it says the same on every machine. */
export function isNumbered(list: string): boolean {
  return list.split(',').every((each) => isNumber(each))
}

function unknownReason({ name }: NamedChain): string {
  return `needs the venues of ${name}, which are not known here; send \`excludeSources\` with the numbers that GET /api/sources has in \`venue\``
}

/** Names of the venues that a route may use. */
export function allowed(venues: KnownVenues, excluded: readonly number[]): readonly string[] {
  return [...venues.values()]
    .filter(({ isEnabled, number }) => isEnabled && !excluded.includes(number))
    .map(({ name }) => name)
}

function isNumber(text: string): boolean {
  return /^[1-9][0-9]?$/.test(text) && Number(text) <= maxSources
}

/** Venues that an entry of a list means. Without the venues, every number is taken for one. */
function numbersOf(text: string, enabled: readonly KnownVenue[] | undefined): readonly number[] {
  if (enabled === undefined) return [Number(text)]
  return enabled
    .filter(({ name, number }) => (isNumber(text) ? number === Number(text) : name === text))
    .map(({ number }) => number)
}
