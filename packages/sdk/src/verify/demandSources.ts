import { Sources } from '@sluice/domain'
import type { Route } from '../amounts.js'
import { encodeParameters, type QuoteParameters, refused } from '../parameters.js'
import { demand } from './demand.js'
import type { Registry } from './registry.js'

/**
 * Checks that every leg is on a venue that the request allows. A venue that the registry does not have could be the one that
 * a name excludes, so names allow only venues of the registry.
 *
 * @throws IntegrityError; InvalidParameterError if the lists are invalid, or name venues that the registry does not have.
 */
export function demandSources(
  { legs }: Pick<Route, 'legs'>,
  { chain }: { readonly chain: { readonly chainId: number; readonly name: string } },
  { registry, request }: { readonly registry: Registry; readonly request: QuoteParameters },
): void {
  const texts = encodeParameters(request)
  const given = Sources.names.filter((each) => texts[each] !== undefined)
  const [name, other] = given
  if (name === undefined) return
  if (other !== undefined) throw refused(other, `cannot be combined with \`${name}\``)
  const list = texts[name]!
  const malformed = Sources.problemOf(list)
  if (malformed !== undefined) throw refused(name, malformed)
  const venues = registry.get(chain.chainId)?.venues
  if (venues === undefined && !Sources.isNumbered(list))
    throw refused(
      name,
      `names venues of ${chain.name}, which the registry does not have; add the result of \`getSources\` with \`withSources\``,
    )
  const listed = Sources.resolveList(chain, { list, venues })
  if ('reason' in listed) throw refused(name, listed.reason)
  for (const { venue } of legs) {
    const isKnown = venues === undefined || venues.has(venue)
    const isAllowed = listed.venues.has(venue) === (name === 'includeSources')
    demand(
      isAllowed && isKnown,
      name,
      isKnown
        ? `The route uses venue ${venue}, which \`${name}\` does not allow`
        : `The route uses venue ${venue}, which the registry does not have; read \`getSources\` again`,
    )
  }
}
