import {
  Addresses,
  Chains,
  QuoteRequest,
  Registry,
  SwapWay,
  Tokens,
  Versions,
} from '@sluice/domain'
import { ApiError, type Detail } from './ApiError.js'
import type { Code } from './codes.js'
import {
  type ParameterName,
  parameterCodes,
  parameterNames,
  quoteParameters,
} from './parameters.js'
import { shownName } from './shownName.js'

/** Parameters as text, whatever they came in; `problem` stands where a value has no text form. */
export type RawParameters = ReadonlyMap<string, { text: string } | { problem: string }>

/** What was found out about symbols, by `symbolKey`; a failure may have a code of its own. */
export type SymbolTable = ReadonlyMap<
  string,
  Tokens.Resolved | (Tokens.Problem & { readonly code?: Code })
>

export function symbolKey(chainId: number, symbol: string): string {
  return `${chainId} ${symbol.toUpperCase()}`
}

export type ParseOptions = {
  alreadyWrong?: readonly Detail[] | undefined
  /** Without it, symbols beyond the chain's own list are unresolved. */
  symbols?: SymbolTable | undefined
}

/**
 * Turns raw parameters into a quote request.
 *
 * @throws ApiError with every failing field in `details`; its code is the first failing field's.
 */
export function parseQuoteRequest(
  registry: Registry.Registry,
  raw: RawParameters,
  options: ParseOptions = {},
): QuoteRequest.QuoteRequest {
  const { alreadyWrong = [], symbols } = options
  const { details, texts } = readTexts(raw)
  const served = findChain(registry, texts, details)
  const chain = served && inVersion(served, texts, details)
  const find = (name: 'in' | 'out') => findToken(chain, texts[name], { name, details, symbols })
  const tokenIn = find('in')
  const tokenOut = find('out')
  if (tokenIn && tokenOut && Addresses.equal(tokenIn.address, tokenOut.address))
    details.push({
      field: 'out',
      code: 'bad_pair',
      reason: 'is the same token as `in`; ETH and WETH count as one',
    })
  const sender = texts.sender === undefined ? undefined : normalAddress(texts.sender)
  const named = texts.recipient === undefined ? undefined : normalAddress(texts.recipient)
  const recipient = named ?? sender
  for (const [name, account] of [
    ['recipient', named],
    ['sender', sender],
  ] as const) {
    if (!chain || !account) continue
    const reason = QuoteRequest.recipientProblem({ chain, recipient: account, tokenIn, tokenOut })
    if (reason !== undefined) details.push(failure(name, reason))
  }
  const signature = texts.signature as QuoteRequest.Signature | undefined
  if (signature !== undefined && chain && tokenIn && tokenOut) {
    const reason = SwapWay.signatureProblem({ chain, sender, tokenIn, tokenOut })
    if (reason !== undefined) details.push(failure('signature', reason))
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
    ...(texts.gasPrice === undefined && { takesNodePrice: true as const }),
    connectors: texts.connectors?.split(',').map(normalAddress) ?? [],
    ...(texts.verify !== undefined && { verify: 2 as const }),
    ...(sender !== undefined && { sender }),
    ...(signature !== undefined && { signature }),
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

/** The chain in the generation that is asked for. */
function inVersion(served: Registry.ServedChain, texts: Texts, details: Detail[]) {
  const version = texts.version === undefined ? undefined : Versions.find(texts.version)
  const chain = version === undefined ? served : Registry.inVersion(served, version)
  if (chain === undefined) {
    const deployed = Registry.versionsOf(served).join(', ')
    details.push(failure('version', `is not deployed on ${served.name}; send one of ${deployed}`))
  }
  return chain
}

/**
 * Symbols of the parameters that mean something beyond what is reserved, with the chain where that is served.
 */
export function tradedSymbols(
  registry: Registry.Registry,
  raw: RawParameters,
): readonly { chainId: number; symbol: string }[] {
  const textOf = (name: string) => {
    const value = raw.get(name)
    return value && 'text' in value ? value.text : ''
  }
  const chainId = Chains.idOf(textOf('chain'))
  if (chainId === undefined || !registry.has(chainId)) return []
  return ['in', 'out'].flatMap((name) => {
    const parsed = Tokens.parse(textOf(name))
    const isTraded = parsed.ok && parsed.token.kind === 'traded'
    return isTraded ? [{ chainId, symbol: textOf(name) }] : []
  })
}

function findToken(
  chain: Registry.ServedChain | undefined,
  text: string | undefined,
  options: { name: 'in' | 'out'; details: Detail[]; symbols: SymbolTable | undefined },
): Tokens.Token | undefined {
  const { details, name, symbols } = options
  if (chain === undefined || text === undefined) return undefined
  const parsed = Tokens.parse(text)
  const found = symbols?.get(symbolKey(chain.chainId, text))
  const resolved = found ?? (parsed.ok ? Tokens.resolve(chain, parsed.token) : parsed)
  if (resolved.ok) return resolved.token
  const problem: Tokens.Problem & { readonly code?: Code } = resolved
  const code = problem.code ?? (problem.isUnresolved ? 'unresolved' : parameterCodes[name])
  details.push({ field: name, code, reason: resolved.reason })
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
