import {
  ApiError,
  type Detail,
  parseQuoteRequest,
  type RawParameters,
  type SymbolTable,
  symbolKey,
  tradedSymbols,
} from '@sluice/api'
import type { QuoteRequest, Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { toApiError } from '../middleware/handleErrors.js'

/**
 * Reads a quote request, and finds out what its symbols mean where that is not known at once. What is wrong in another
 * way is told without asking anybody.
 *
 * @throws ApiError
 */
export async function readRequest(
  { engine, registry }: { engine: Pick<Engine, 'lookUp'>; registry: Registry.Registry },
  raw: RawParameters,
  options: { alreadyWrong?: readonly Detail[] | undefined; signal: AbortSignal },
): Promise<QuoteRequest.QuoteRequest> {
  const { alreadyWrong, signal } = options
  const wanted = tradedSymbols(registry, raw)
  if (wanted.length === 0) return parseQuoteRequest(registry, raw, { alreadyWrong })
  try {
    parseQuoteRequest(registry, raw, { alreadyWrong })
  } catch (error) {
    const isElse =
      !(error instanceof ApiError) || error.details?.some(({ code }) => code !== 'unresolved')
    if (isElse) throw error
  }
  const symbols: SymbolTable = new Map(
    await Promise.all(
      wanted.map(
        async ({ chainId, symbol }) =>
          [symbolKey(chainId, symbol), await lookUp(engine, chainId, symbol, signal)] as const,
      ),
    ),
  )
  return parseQuoteRequest(registry, raw, { alreadyWrong, symbols })
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
