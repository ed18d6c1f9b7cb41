import { Addresses, Chains, QuoteRequest, type Registry, Tokens } from '@sluice/domain'
import { ApiError, type Detail } from './ApiError.js'
import {
  type ParameterName,
  parameterCodes,
  parameterNames,
  quoteParameters,
} from './parameters.js'
import { shownName } from './shownName.js'

/** Parameters as text, whatever they came in; `problem` stands where a value has no text form. */
export type RawParameters = ReadonlyMap<string, { text: string } | { problem: string }>

/**
 * Turns raw parameters into a quote request.
 *
 * @throws ApiError with every failing field in `details`; its code is the first failing field's.
 */
export function parseQuoteRequest(
  registry: Registry.Registry,
  raw: RawParameters,
  alreadyWrong: readonly Detail[] = [],
): QuoteRequest.QuoteRequest {
  const { details, texts } = readTexts(raw)
  const chain = findChain(registry, texts, details)
  const tokenIn = findToken(chain, texts, 'in', details)
  const tokenOut = findToken(chain, texts, 'out', details)
  if (tokenIn && tokenOut && Addresses.equal(tokenIn.address, tokenOut.address))
    details.push({
      field: 'out',
      code: 'bad_pair',
      reason: 'is the same token as `in`; ETH and WETH count as one',
    })
  const recipient = texts.recipient === undefined ? undefined : normalAddress(texts.recipient)
  if (chain && recipient) {
    const reason = QuoteRequest.recipientProblem({ chain, recipient, tokenIn, tokenOut })
    if (reason !== undefined) details.push(failure('recipient', reason))
  }
  const failures = [...details.sort(byParameterOrder), ...alreadyWrong]
  if (failures.length > 0 || !chain || !tokenIn || !tokenOut) throw toError(failures)
  return {
    chain,
    tokenIn,
    tokenOut,
    amountIn: BigInt(texts.amountIn!),
    recipient,
    slippageBps: texts.slippageBps === undefined ? undefined : Number(texts.slippageBps),
    deadlineSec: Number(texts.deadlineSec ?? QuoteRequest.defaultDeadlineSec),
    isExact: texts.exact !== undefined,
    gasPrice: BigInt(texts.gasPrice ?? 0),
    connectors: texts.connectors?.split(',').map(normalAddress) ?? [],
    ...(texts.verify !== undefined && { verify: 2 as const }),
  }
}

type Texts = { [name in ParameterName]?: string }

function readTexts(raw: RawParameters): { details: Detail[]; texts: Texts } {
  const details: Detail[] = []
  const texts: Texts = {}
  for (const name of parameterNames) {
    const value = raw.get(name)
    if (value && 'problem' in value) {
      details.push(failure(name, value.problem))
      continue
    }
    const parsed = quoteParameters.shape[name].safeParse(value?.text)
    if (!parsed.success) details.push(failure(name, parsed.error.issues[0]!.message))
    else if (parsed.data !== undefined) texts[name] = parsed.data
  }
  for (const name of raw.keys())
    if (!Object.hasOwn(parameterCodes, name))
      details.push({ field: shownName(name), code: 'bad_param', reason: 'is not a parameter' })
  return { details, texts }
}

function findChain(registry: Registry.Registry, texts: Texts, details: Detail[]) {
  const chainId = texts.chain === undefined ? undefined : Chains.idOf(texts.chain)
  if (chainId === undefined) return undefined
  const chain = registry.get(chainId)
  if (chain === undefined) {
    const served = [...registry.keys()].join(', ') || 'none'
    details.push(failure('chain', `is not served here; served chains: ${served}`))
  }
  return chain
}

function findToken(
  chain: Registry.ServedChain | undefined,
  texts: Texts,
  name: 'in' | 'out',
  details: Detail[],
): Tokens.Token | undefined {
  const text = texts[name]
  const parsed = text === undefined ? undefined : Tokens.parse(text)
  if (!chain || !parsed?.ok) return undefined
  const resolved = Tokens.resolve(chain, parsed.token)
  if (resolved.ok) return resolved.token
  details.push(failure(name, resolved.reason))
  return undefined
}

function failure(name: ParameterName, reason: string): Detail {
  return { field: name, code: parameterCodes[name], reason }
}

function normalAddress(text: string) {
  const parsed = Addresses.parse(text)
  if (!parsed.ok) throw new ApiError('internal', 'An address was not checked before its use.')
  return parsed.address
}

/** Specification order; what is no parameter of it comes last. */
function byParameterOrder(a: Detail, b: Detail): number {
  const place = (detail: Detail) => {
    const index = parameterNames.indexOf(detail.field as ParameterName)
    return index === -1 ? parameterNames.length : index
  }
  return place(a) - place(b)
}

function toError(details: readonly Detail[]): ApiError {
  const first = details[0]!
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  return new ApiError(first.code, `\`${first.field}\` ${first.reason}.${more}`, { details })
}
