import { Addresses, Lru, Texts, TokenFacts } from '@sluice/domain'
import { createBudget } from '@sluice/rpc'
import type { Address } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { LensOptions } from '../lens/askLens.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { createFlights } from '../support/Flights.js'
import type { ListedToken } from '../symbols/parseTokenList.js'
import type { ChainVenues } from '../venues/createVenues.js'
import { readFacts } from './readFacts.js'

/** The tokens of one chain: those on lists, and any other that was read. */
export type ChainTokens = {
  /** What is known about a token, from memory alone. @param address With its checksum. */
  readonly known: (address: Address) => TokenFacts.TokenFacts | undefined
  /** Whether reading these tokens asks a node. */
  readonly isKept: (addresses: readonly Address[]) => boolean
  /**
   * What is known about tokens; reads those that are not. `undefined` for addresses that are no token.
   *
   * @throws QuoteError if no node answers, or if too much is being read.
   */
  readonly read: (
    addresses: readonly Address[],
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<readonly (TokenFacts.TokenFacts | undefined)[]>
  /** Well-known tokens, then connector tokens of the Hub, then the operator's lists. */
  readonly list: () => Promise<TokenList>
}

/** A chain's token list. */
export type TokenList = {
  readonly tokens: readonly TokenFacts.TokenFacts[]
  /** Whether the connector tokens were read. */
  readonly isWhole: boolean
}

const maxKept = 4_096
/** How long it is kept that an address is no token, in milliseconds: a token may be created there. */
const noneMs = 30_000
/** Node requests for one reading. */
const maxRequests = 4
/** Maximum number of concurrent readings: callers can name any address. */
const maxReadings = 8

export function createTokens(
  state: ChainState,
  options: {
    venues: Pick<ChainVenues, 'read' | 'connectors'>
    lists: readonly ListedToken[]
  } & Pick<LensOptions, 'now' | 'onFailure'>,
): ChainTokens {
  const { lists, venues, ...asking } = options
  const certain = certainOf(state, lists)
  const kept = Lru.create<Address, Kept>(maxKept)
  const flights = createFlights<readonly (TokenFacts.TokenFacts | undefined)[]>()
  let list: TokenList | undefined

  const find = (address: Address): Kept | undefined => {
    const facts = certain.get(address)
    if (facts !== undefined) return { facts, until: Number.POSITIVE_INFINITY }
    const found = kept.get(address)
    return found && performance.now() < found.until ? found : undefined
  }

  async function read(
    addresses: readonly Address[],
    { signal }: { signal?: AbortSignal | undefined } = {},
  ) {
    const missing = [...new Set(addresses)].filter((address) => find(address) === undefined)
    if (missing.length > 0) {
      const key = missing.join()
      if (!flights.has(key) && flights.count() >= maxReadings) throw tooMany
      const { result } = await flights.join(key, {
        signal,
        start: (flightSignal) =>
          readFacts(state, missing, {
            ...asking,
            signal: flightSignal,
            budget: createBudget({ requests: maxRequests }),
          }),
      })
      for (const [index, facts] of result.entries()) {
        const until = facts ? Number.POSITIVE_INFINITY : performance.now() + noneMs
        kept.put(missing[index]!, { facts, until })
      }
    }
    return addresses.map((address) => find(address)?.facts)
  }

  async function connectorsOf(): Promise<readonly TokenFacts.TokenFacts[] | undefined> {
    await venues.read()
    const unlisted = venues.connectors()?.filter((address) => !certain.has(address))
    if (unlisted === undefined) return undefined
    const facts = await read(unlisted).catch(() => undefined)
    return facts?.flatMap((each) => (each ? [{ ...each, source: 'connector' as const }] : []))
  }

  return {
    known: (address) => find(address)?.facts,
    isKept: (addresses) => addresses.every((address) => find(address) !== undefined),
    read,
    async list() {
      const connectors = await connectorsOf()
      const known = [...certain.values()]
      const [listed, pinned] = [
        known.filter(({ source }) => source === 'list'),
        known.filter(({ source }) => source !== 'list'),
      ]
      const tokens = [...pinned, ...(connectors ?? []), ...listed]
      const isWhole = connectors !== undefined
      // Callers compare the lists, so an unchanged one is the same object.
      const isSame =
        list?.isWhole === isWhole &&
        list.tokens.length === tokens.length &&
        list.tokens.every((each, index) => each.address === tokens[index]!.address)
      if (!isSame) list = { tokens, isWhole }
      return list!
    },
  }
}

/** Created once, because collecting a stack trace is expensive. */
const tooMany = new QuoteError(
  'overloaded',
  'Too many tokens are being read on this chain. Retry in a second.',
  { rpcTried: 0 },
)

type Kept = { readonly facts: TokenFacts.TokenFacts | undefined; readonly until: number }

/** Facts that need no reading, by address with its checksum. The built-in lists come before the operator's. */
function certainOf(
  { chain }: ChainState,
  lists: readonly ListedToken[],
): ReadonlyMap<Address, TokenFacts.TokenFacts> {
  const facts = new Map(TokenFacts.pinned(chain).map((token) => [token.address, token]))
  for (const { address: given, chainId, decimals, logo, name, symbol } of lists) {
    const parsed = Addresses.parse(given)
    if (chainId !== chain.chainId || !parsed.ok) continue
    const { address } = parsed
    const pinned = facts.get(address)
    if (pinned !== undefined) {
      if (logo !== undefined && pinned.logo === undefined)
        facts.set(address, { ...pinned, logo: logo.path })
      continue
    }
    const texts = { symbol: Texts.shownText(symbol), name: Texts.shownText(name) }
    const picture = logo && { logo: logo.path }
    facts.set(address, { address, ...texts, decimals, source: 'list', ...picture })
  }
  return facts
}
