import { ApiError, type Code, type Detail, parseQuoteRequest } from '@sluice/api'
import { Chains, QuoteParameters, type QuoteRequest, type Registry, Sources } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { toApiError } from '../middleware/handleErrors.js'

/**
 * Parses a quote request and looks up symbols that its chain does not list. If anything else is wrong, throws without
 * looking anything up.
 *
 * @throws ApiError
 */
export async function readRequest(
  { engine, registry }: { engine: ReadingEngine; registry: Registry.Registry },
  given: QuoteParameters.Given,
  options: { repeated?: readonly Detail[] | undefined; signal: AbortSignal },
): Promise<QuoteRequest.QuoteRequest> {
  const { repeated, signal } = options
  const { venues: venuesOf } = engine
  await readVenues(engine, given)
  const wanted = QuoteParameters.unlistedSymbols(registry, given)
  if (wanted.length === 0) return parseQuoteRequest(registry, given, { repeated, venuesOf })
  try {
    parseQuoteRequest(registry, given, { repeated, venuesOf })
  } catch (error) {
    const isElse =
      !(error instanceof ApiError) || error.details?.some(({ code }) => code !== 'unresolved')
    if (isElse) throw error
  }
  const symbols: QuoteParameters.Symbols<Code> = new Map(
    await Promise.all(
      wanted.map(
        async ({ chainId, symbol }) =>
          [
            QuoteParameters.symbolKey(chainId, symbol),
            await lookUp(engine, chainId, symbol, signal),
          ] as const,
      ),
    ),
  )
  return parseQuoteRequest(registry, given, { repeated, symbols, venuesOf })
}

/** What parsing a request may need of the engine. */
export type ReadingEngine = Pick<Engine, 'lookUp' | 'sources' | 'venues'>

/** Makes sure that the venues are known if the request names some. */
async function readVenues(
  { sources, venues }: ReadingEngine,
  given: QuoteParameters.Given,
): Promise<void> {
  if (!Sources.names.some((name) => given.has(name))) return
  const chain = given.get('chain')
  const chainId = chain && 'text' in chain ? Chains.idOf(chain.text) : undefined
  if (chainId !== undefined && venues(chainId) === undefined) await sources(chainId)
}

async function lookUp(
  engine: Pick<Engine, 'lookUp'>,
  chainId: number,
  symbol: string,
  signal: AbortSignal,
) {
  try {
    return await engine.lookUp(chainId, symbol, { purpose: 'trade', signal })
  } catch (error) {
    const { code, message } = toApiError(error)
    if (code === 'internal') throw error
    const why = message.replace(/\.$/, '')
    const reason = `could not be looked up: ${why.charAt(0).toLowerCase()}${why.slice(1)}`
    return { ok: false, isUnresolved: true, code, reason } as const
  }
}
