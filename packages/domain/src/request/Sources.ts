import type { ServedChain } from '../registry/ServedChain.js'
import type { Venue, Venues } from '../registry/Venues.js'
import * as Texts from '../values/Texts.js'

/** Maximum number of sources in a request: as many venues as a Hub has. */
export const maxSources = 64
/** Parameters that choose the venues of a route. Only one of them may be sent. */
export const names = ['includeSources', 'excludeSources'] as const
export type Name = (typeof names)[number]

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
export function resolve(chain: ServedChain, options: resolve.Options): Resolved {
  const { list, name, venues } = options
  const isIncluding = name === 'includeSources'
  const given = list.split(',')
  const isNumbered = given.every((each) => isNumber(each))
  if (venues === undefined && (isIncluding || !isNumbered))
    return {
      reason: `needs the venues of ${chain.name}, which are not known here; send \`excludeSources\` with the numbers that GET /api/sources has in \`venue\``,
    }
  const enabled = [...(venues?.values() ?? [])].filter(({ isEnabled }) => isEnabled)
  const chosen = new Set<number>()
  for (const each of given) {
    const numbers = numbersOf(each, venues && enabled)
    if (numbers.length === 0)
      return {
        reason: `names ${Texts.shownName(each)}, which is no venue of ${chain.name}; send some of ${enabled.map((venue) => venue.name).join(', ')}`,
      }
    for (const number of numbers) chosen.add(number)
  }
  const excluded = isIncluding
    ? enabled.map(({ number }) => number).filter((number) => !chosen.has(number))
    : [...chosen]
  if (venues !== undefined && enabled.every(({ number }) => excluded.includes(number)))
    return { reason: `leaves no venue of ${chain.name}` }
  return { excluded: excluded.sort((a, b) => a - b) }
}

type Resolved = { readonly excluded: readonly number[] } | { readonly reason: string }

export declare namespace resolve {
  type Options = {
    name: Name
    list: string
    venues: Venues | undefined
  }
}

/** Names of the venues that a route may use. */
export function allowed(venues: Venues, excluded: readonly number[]): readonly string[] {
  return [...venues.values()]
    .filter(({ isEnabled, number }) => isEnabled && !excluded.includes(number))
    .map(({ name }) => name)
}

function isNumber(text: string): boolean {
  return /^[1-9][0-9]?$/.test(text) && Number(text) <= maxSources
}

/** Venues that an entry of a list means. Without the venues, every number is taken for one. */
function numbersOf(text: string, enabled: readonly Venue[] | undefined): readonly number[] {
  if (enabled === undefined) return [Number(text)]
  return enabled
    .filter(({ name, number }) => (isNumber(text) ? number === Number(text) : name === text))
    .map(({ number }) => number)
}
