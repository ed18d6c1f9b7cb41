import type { Address } from 'viem'
import * as Chains from '../chains/Chains.js'
import * as Tokens from '../chains/Tokens.js'
import * as Registry from '../registry/Registry.js'
import * as Versions from '../registry/Versions.js'
import * as IntegratorFee from '../swap/IntegratorFee.js'
import * as SwapWay from '../swap/SwapWay.js'
import * as Addresses from '../values/Addresses.js'
import * as Amounts from '../values/Amounts.js'
import * as Texts from '../values/Texts.js'
import * as Minimum from './Minimum.js'
import * as Overrides from './Overrides.js'
import * as PoolHints from './PoolHints.js'
import * as QuoteRequest from './QuoteRequest.js'
import * as Sources from './Sources.js'

/** Every parameter of a quote, in the order of the documentation, with its error code. */
export const codes = {
  chain: 'bad_chain',
  in: 'bad_in',
  out: 'bad_out',
  amountIn: 'bad_amount_in',
  amountOut: 'bad_amount_out',
  recipient: 'bad_recipient',
  sender: 'bad_param',
  slippageBps: 'bad_slippage_bps',
  deadlineSec: 'bad_deadline_sec',
  exact: 'bad_exact',
  gasPrice: 'bad_param',
  connectors: 'bad_param',
  pools: 'bad_param',
  includeSources: 'bad_param',
  excludeSources: 'bad_param',
  overrides: 'bad_param',
  verify: 'bad_param',
  signature: 'bad_param',
  integrator: 'bad_param',
  integratorFeeBps: 'bad_param',
  usd: 'bad_param',
  explain: 'bad_param',
  version: 'bad_version',
} as const

/** Name of a quote parameter. */
export type Name = keyof typeof codes
/** Error code of a quote parameter. */
export type Code = (typeof codes)[Name] | 'bad_pair' | 'unresolved'

/** Names of all quote parameters, in the order of the documentation. */
export const names = Object.keys(codes) as readonly Name[]

/** Parameters that are either `1` or absent. */
export const flags = ['exact', 'usd', 'explain'] as const satisfies readonly Name[]

/** Minimum and maximum of the integer parameters. */
export const integerRanges = {
  slippageBps: { min: 0, max: Minimum.maxSlippageBps },
  deadlineSec: QuoteRequest.deadlineSecRange,
  integratorFeeBps: IntegratorFee.bpsRange,
} as const

/** Format of `gasPrice`, in wei. */
export const gasPricePattern = /^[0-9]{1,30}$/

/** Parameters of one quote as strings, by name. A value that is no string has a `problem` instead. */
export type Given = ReadonlyMap<string, { readonly text: string } | { readonly problem: string }>

/** Why one parameter is invalid. */
export type Problem<code extends string = never> = {
  readonly field: string
  readonly code: Code | code
  /** Rest of a sentence that starts with the name of the field. */
  readonly reason: string
}

/** Resolved symbols by `symbolKey`. A failed lookup can have its own error code. */
export type Symbols<code extends string = never> = ReadonlyMap<
  string,
  Tokens.Resolved | (Tokens.Problem & { readonly code?: code })
>

/** Key of a symbol in `Symbols`. Ignores case. */
export function symbolKey(chainId: number, symbol: string): string {
  return `${chainId} ${symbol.toUpperCase()}`
}

const missing: { readonly [name in Name]?: string } = {
  chain: 'is required: a chain id or name',
  in: 'is required: a token address or symbol',
  out: 'is required: a token address or symbol',
  amountIn: 'is required: an integer in base units of the input token, in digits',
}

const forms: { readonly [name in Name]: (text: string) => string | undefined } = {
  chain: (text) =>
    Chains.idOf(text) === undefined
      ? `must be a chain id or one of ${Chains.all.map((chain) => chain.alias).join(', ')}`
      : undefined,
  in: tokenProblem,
  out: tokenProblem,
  amountIn: (text) => amountProblem('input', text),
  amountOut: (text) => amountProblem('output', text),
  recipient: addressProblem,
  sender: addressProblem,
  slippageBps: (text) => integerProblem('slippageBps', text),
  deadlineSec: (text) => integerProblem('deadlineSec', text),
  exact: flagProblem,
  gasPrice: (text) =>
    gasPricePattern.test(text) ? undefined : 'must be at most 30 digits: the gas price in wei',
  connectors: connectorsProblem,
  pools: PoolHints.problemOf,
  includeSources: Sources.problemOf,
  excludeSources: Sources.problemOf,
  overrides: Overrides.problemOf,
  verify: (text) => (text === '2' ? undefined : 'must be 2 or left out'),
  signature: (text) =>
    QuoteRequest.signatures.some((name) => name === text)
      ? undefined
      : 'must be permit or permit2, or left out',
  integrator: addressProblem,
  integratorFeeBps: (text) => integerProblem('integratorFeeBps', text),
  usd: flagProblem,
  explain: flagProblem,
  version: (text) =>
    Versions.names.some((name) => name === text)
      ? undefined
      : `must be one of ${Versions.names.join(', ')}`,
}

/** Why one parameter is invalid, without regard to the others; `undefined` if it is valid. */
export function problemOf(name: Name, text: string | undefined): string | undefined {
  return text === undefined ? missing[name] : forms[name](text)
}

/**
 * Parses the parameters of a quote, from a query, a batch item, a prepared request, or the SDK.
 *
 * Validates every parameter, so that the caller gets all errors at once, in the order of the documentation.
 *
 * @param options.symbols Results of symbols that were looked up. Other symbols are resolved from the built-in lists.
 */
export function parse<code extends string = never>(
  registry: Registry.Registry,
  given: Given,
  options: {
    symbols?: Symbols<code> | undefined
    /** The venues of a chain, if they are known. */
    venuesOf?: VenuesOf | undefined
  } = {},
): Parsed<code> {
  const problems: Problem<code>[] = []
  const texts = readTexts(given, problems)
  const chain = readChain(registry, texts, problems)
  const [tokenIn, tokenOut] = (['in', 'out'] as const).map((name) =>
    readToken(chain, { name, text: texts[name], symbols: options.symbols, problems }),
  )
  const accounts = readAccounts(texts)
  judgeTrade({ chain, tokenIn, tokenOut, ...accounts }, texts, problems)
  const excludedVenues = chain && readSources(chain, texts, options.venuesOf, problems)
  const overrides = chain && readOverrides(chain, texts, problems)
  if (problems.length > 0 || !chain || !tokenIn || !tokenOut)
    return { ok: false, problems: problems.sort(byOrder) }
  const request = {
    chain,
    tokenIn,
    tokenOut,
    amountIn: BigInt(texts.amountIn ?? 0),
    ...(texts.amountOut !== undefined && { amountOut: BigInt(texts.amountOut) }),
    recipient: accounts.recipient ?? accounts.sender,
    slippageBps: texts.slippageBps === undefined ? undefined : Number(texts.slippageBps),
    deadlineSec: Number(texts.deadlineSec ?? QuoteRequest.defaultDeadlineSec),
    isExact: texts.exact !== undefined,
    gasPrice: BigInt(texts.gasPrice ?? 0),
    ...(texts.gasPrice === undefined && { takesNodePrice: true as const }),
    connectors: texts.connectors?.split(',').map(checkedAddress) ?? [],
    ...(texts.pools !== undefined && { pools: PoolHints.parse(texts.pools) }),
    ...(excludedVenues && { excludedVenues }),
    ...(overrides && { overrides }),
    ...(texts.verify !== undefined && { verify: 2 as const }),
    ...(texts.usd !== undefined && { inUsd: true as const }),
    ...(texts.explain !== undefined && { isExplained: true as const }),
    ...(accounts.sender !== undefined && { sender: accounts.sender }),
    ...(texts.signature !== undefined && {
      signature: texts.signature as QuoteRequest.Signature,
    }),
    ...(texts.integrator !== undefined && {
      integratorFee: {
        integrator: checkedAddress(texts.integrator),
        bps: Number(texts.integratorFeeBps),
      },
    }),
  }
  return { ok: true, request }
}

/** A request, or the errors in its parameters. */
export type Parsed<code extends string = never> =
  | { readonly ok: true; readonly request: QuoteRequest.QuoteRequest }
  /** At least one error, in the order of the documentation. Unknown parameters come last. */
  | { readonly ok: false; readonly problems: readonly Problem<code>[] }

/** Symbols in the parameters that are not reserved, so that the caller can look them up. */
export function unlistedSymbols(
  registry: Registry.Registry,
  given: Given,
): readonly { readonly chainId: number; readonly symbol: string }[] {
  const textOf = (name: Name) => {
    const value = given.get(name)
    return value && 'text' in value ? value.text : ''
  }
  const chainId = Chains.idOf(textOf('chain'))
  if (chainId === undefined || !registry.has(chainId)) return []
  return (['in', 'out'] as const).flatMap((name) => {
    const parsed = Tokens.parse(textOf(name))
    const isUnlisted = parsed.ok && parsed.token.kind === 'traded'
    return isUnlisted ? [{ chainId, symbol: textOf(name) }] : []
  })
}

type Written = { [name in Name]?: string }
type Problems<code extends string> = Problem<code>[]

function readTexts<code extends string>(given: Given, problems: Problems<code>): Written {
  const texts: Written = {}
  const isForOutput = given.has('amountOut')
  if (isForOutput && given.has('amountIn'))
    problems.push(failure('amountOut', 'cannot be combined with `amountIn`: send one of the two'))
  for (const name of names) {
    if (name === 'amountIn' && isForOutput) continue
    const value = given.get(name)
    const isText = value === undefined || 'text' in value
    const reason = isText ? problemOf(name, value?.text) : value.problem
    if (reason !== undefined) problems.push(failure(name, reason))
    else if (isText && value !== undefined) texts[name] = value.text
  }
  for (const name of given.keys())
    if (!Object.hasOwn(codes, name))
      problems.push({
        field: Texts.shownName(name),
        code: 'bad_param',
        reason: 'is not a parameter',
      })
  return texts
}

/** The chain with the contracts of the requested generation. */
function readChain<code extends string>(
  registry: Registry.Registry,
  { chain: text, version: versionText }: Written,
  problems: Problems<code>,
): Registry.ServedChain | undefined {
  if (text === undefined) return undefined
  const served = registry.get(Chains.idOf(text)!)
  if (served === undefined) {
    const chainIds = [...registry.keys()].join(', ') || 'none'
    problems.push(failure('chain', `is not one of the served chains: ${chainIds}`))
    return undefined
  }
  const version = versionText === undefined ? undefined : Versions.find(versionText)
  const chain = version === undefined ? served : Registry.inVersion(served, version)
  if (chain === undefined) {
    const deployed = Registry.versionsOf(served).join(', ')
    problems.push(failure('version', `is not deployed on ${served.name}; send one of ${deployed}`))
  }
  return chain
}

function readToken<code extends string>(
  chain: Registry.ServedChain | undefined,
  options: {
    name: 'in' | 'out'
    text: string | undefined
    symbols: Symbols<code> | undefined
    problems: Problems<code>
  },
): Tokens.Token | undefined {
  const { name, problems, symbols, text } = options
  if (chain === undefined || text === undefined) return undefined
  const parsed = Tokens.parse(text)
  const found = symbols?.get(symbolKey(chain.chainId, text))
  const resolved = found ?? (parsed.ok ? Tokens.resolve(chain, parsed.token) : parsed)
  if (resolved.ok) return resolved.token
  const problem: Tokens.Problem & { readonly code?: code } = resolved
  const code = problem.code ?? (problem.isUnresolved ? 'unresolved' : codes[name])
  problems.push({ field: name, code, reason: resolved.reason })
  return undefined
}

type Accounts = { readonly recipient: Address | undefined; readonly sender: Address | undefined }

function readAccounts({ recipient, sender }: Written): Accounts {
  return {
    recipient: recipient === undefined ? undefined : checkedAddress(recipient),
    sender: sender === undefined ? undefined : checkedAddress(sender),
  }
}

type Trade = Accounts & {
  readonly chain: Registry.ServedChain | undefined
  readonly tokenIn: Tokens.Token | undefined
  readonly tokenOut: Tokens.Token | undefined
}

/** Adds the errors of combinations of valid parameters. */
function judgeTrade<code extends string>(
  { chain, tokenIn, tokenOut, ...accounts }: Trade,
  texts: Written,
  problems: Problems<code>,
): void {
  const { signature } = texts
  if (tokenIn && tokenOut && Addresses.equal(tokenIn.address, tokenOut.address))
    problems.push({
      field: 'out',
      code: 'bad_pair',
      reason: 'is the same token as `in`; ETH and WETH count as one',
    })
  if (chain === undefined) return
  for (const name of ['recipient', 'sender'] as const) {
    const account = accounts[name]
    if (account === undefined) continue
    const reason = QuoteRequest.recipientProblem({ chain, recipient: account, tokenIn, tokenOut })
    if (reason !== undefined) problems.push(failure(name, reason))
  }
  judgeFee({ chain, tokenIn, tokenOut }, texts, problems)
  if (signature === undefined || !tokenIn || !tokenOut) return
  const reason = SwapWay.signatureProblem({ chain, sender: accounts.sender, tokenIn, tokenOut })
  if (reason !== undefined) problems.push(failure('signature', reason))
}

type VenuesOf = (chainId: number) => Sources.KnownVenues | undefined

/** Numbers of the venues that the route may not use; `undefined` if all are allowed. */
function readSources<code extends string>(
  chain: Registry.ServedChain,
  texts: Written,
  venuesOf: VenuesOf | undefined,
  problems: Problems<code>,
): readonly number[] | undefined {
  const name = Sources.names.find((each) => texts[each] !== undefined)
  if (name === undefined) return undefined
  if (Sources.names.every((each) => texts[each] !== undefined)) {
    problems.push(failure('excludeSources', 'cannot be combined with `includeSources`'))
    return undefined
  }
  const venues = venuesOf?.(chain.chainId)
  const resolved = Sources.resolve(chain, { name, list: texts[name]!, venues })
  if ('reason' in resolved) problems.push(failure(name, resolved.reason))
  else if (resolved.excluded.length > 0) return resolved.excluded
  return undefined
}

/** Parameters of what the sender signs. There is nothing to sign on a state that the chain does not have. */
const signing = ['sender', 'signature'] as const satisfies readonly Name[]

/** The state that the quote is asked for; `undefined` if it is the chain's own. */
function readOverrides<code extends string>(
  chain: Registry.ServedChain,
  texts: Written,
  problems: Problems<code>,
): Overrides.Overrides | undefined {
  if (texts.overrides === undefined) return undefined
  for (const name of signing)
    if (texts[name] !== undefined)
      problems.push(failure(name, 'cannot be combined with `overrides`: there is nothing to sign'))
  const overrides = Overrides.parse(texts.overrides)
  const reason = Overrides.conflictOf(chain, overrides)
  if (reason !== undefined) problems.push(failure('overrides', reason))
  return overrides
}

/** Adds the errors of a fee for an integrator: both of its parameters are sent, on a generation that pays it. */
function judgeFee<code extends string>(
  { chain, tokenIn, tokenOut }: Omit<Trade, keyof Accounts> & { chain: Registry.ServedChain },
  { integrator, integratorFeeBps }: Written,
  problems: Problems<code>,
): void {
  const isBad = problems.some(({ field }) => field.startsWith('integrator'))
  if (isBad || (integrator === undefined && integratorFeeBps === undefined)) return
  if (integrator === undefined)
    problems.push(failure('integratorFeeBps', 'needs `integrator`: the address that is paid'))
  else if (integratorFeeBps === undefined)
    problems.push(failure('integrator', 'needs `integratorFeeBps`: the fee, from 1 to 100'))
  else if (!SwapWay.takesMore(chain))
    problems.push(
      failure('integrator', 'needs `version=2`: the Router of 1.0.0 pays no integrators'),
    )
  else {
    const recipient = checkedAddress(integrator)
    const reason = QuoteRequest.recipientProblem({ chain, recipient, tokenIn, tokenOut })
    if (reason !== undefined) problems.push(failure('integrator', reason))
  }
}

function failure(name: Name, reason: string) {
  return { field: name, code: codes[name], reason }
}

/** Compares by the order of the documentation; unknown parameters come last. */
function byOrder(a: { readonly field: string }, b: { readonly field: string }): number {
  const place = ({ field }: { readonly field: string }) => {
    const index = names.indexOf(field as Name)
    return index === -1 ? names.length : index
  }
  return place(a) - place(b)
}

/** Why a token parameter is malformed. Does not resolve symbols. */
function tokenProblem(text: string): string | undefined {
  const parsed = Tokens.parse(text)
  return parsed.ok || parsed.isUnresolved ? undefined : parsed.reason
}

function flagProblem(text: string): string | undefined {
  return text === '1' ? undefined : 'must be 1 or left out'
}

function amountProblem(side: 'input' | 'output', text: string): string | undefined {
  if (!Amounts.pattern.test(text))
    return `must be 1 to 77 digits: an integer in base units of the ${side} token`
  return /^0+$/.test(text) ? 'must be above zero' : undefined
}

function addressProblem(text: string): string | undefined {
  const parsed = Addresses.parse(text)
  return parsed.ok ? undefined : parsed.reason
}

function integerProblem(name: keyof typeof integerRanges, text: string): string | undefined {
  const { max, min } = integerRanges[name]
  const isInRange = /^[0-9]{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max
  return isInRange ? undefined : `must be an integer from ${min} to ${max}, in digits`
}

function connectorsProblem(text: string): string | undefined {
  const given = text.split(',')
  if (given.length > QuoteRequest.maxConnectors)
    return `must be at most ${QuoteRequest.maxConnectors} addresses`
  return given.map(addressProblem).find((reason) => reason !== undefined)
}

/** Address with its checksum. Call it only for a string that `forms` accepted. */
function checkedAddress(text: string): Address {
  const parsed = Addresses.parse(text)
  if (!parsed.ok) throw new Error('an address was not checked before its use')
  return parsed.address
}
