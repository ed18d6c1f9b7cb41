import { Addresses, Decimals, Tokens as Domain, Texts } from '@sluice/domain'
import { type Client, getQuote, type Quote, type QuoteParameters } from '@sluice/sdk'
import type { Registry } from '@sluice/sdk/verify'
import type { AskNode } from './askNode.js'

/** What the page knows of tokens; without decimals amounts are shown in base units. */
export type Tokens = {
  /** A name for a token of a quote: a symbol, or the address cut short. */
  readonly nameOf: (chainId: number, token: string) => string
  readonly decimalsOf: (chainId: number, token: string) => number | undefined
  /** Finds out what a symbol means and its decimals if there is somebody to ask. */
  readonly learn: (chainId: number, token: string, ask: AskNode | undefined) => Promise<void>
  /** Takes note of what the service took symbols to mean. */
  readonly note: (quote: Quote) => void
  /** The parameters with addresses in place of symbols that only the service knows. */
  readonly pin: (parameters: QuoteParameters) => QuoteParameters
}

const decimalsCall = '0x313ce567'
/** More than this no token has that is meant for people; some lie. */
const maxDecimals = 36
/** One USDC: enough for a route to any token with a market. */
const littleUsdc = 1_000_000n

export function createTokens(client: Client, registry: Registry): Tokens {
  const decimals = new Map<string, number>()
  const symbols = new Map<string, string>()
  const addresses = new Map<string, string>()
  const keyOf = (chainId: number, token: string) => `${chainId} ${token.toLowerCase()}`

  /** Symbols that the registry pins, by address. */
  function ownSymbol(chainId: number, address: string): string | undefined {
    const chain = registry.get(chainId)
    if (chain === undefined) return undefined
    const { slu, usdc, wrappedNative } = chain
    if (Addresses.equal(wrappedNative, address)) return 'WETH'
    if (Addresses.equal(usdc, address)) return 'USDC'
    return slu !== null && Addresses.equal(slu, address) ? 'SLU' : undefined
  }

  function addressOf(chainId: number, token: string): string | undefined {
    return Addresses.hasShape(token) ? token : addresses.get(keyOf(chainId, token))
  }

  function decimalsOf(chainId: number, token: string): number | undefined {
    const address = addressOf(chainId, token) ?? token
    return (
      Decimals.find(chainId, ownSymbol(chainId, address) ?? address) ??
      decimals.get(keyOf(chainId, address))
    )
  }

  function note({ chainId, resolved }: Quote): void {
    for (const side of [resolved?.in, resolved?.out]) {
      if (side === undefined) continue
      symbols.set(keyOf(chainId, side.address), side.symbol)
      addresses.set(keyOf(chainId, side.symbol), side.address)
    }
  }

  async function learn(chainId: number, token: string, ask: AskNode | undefined): Promise<void> {
    if (decimalsOf(chainId, token) !== undefined) return
    if (addressOf(chainId, token) === undefined)
      note(await getQuote(client, { chain: chainId, in: 'USDC', out: token, amountIn: littleUsdc }))
    const to = addressOf(chainId, token)
    if (to === undefined || ask === undefined) return
    const answer = await ask('eth_call', [{ to, data: decimalsCall }, 'latest'])
    if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/.test(answer)) return
    if (BigInt(answer) <= BigInt(maxDecimals)) decimals.set(keyOf(chainId, to), Number(answer))
  }

  return {
    decimalsOf,
    learn,
    note,
    nameOf(chainId, token) {
      const known = ownSymbol(chainId, token) ?? symbols.get(keyOf(chainId, token))
      if (known !== undefined) return Texts.visible(known, 12)
      return Addresses.hasShape(token) ? Addresses.shorten(token) : Texts.visible(token, 12)
    },
    pin(parameters) {
      const chainId = Number(parameters.chain)
      const pinned = (token: string) =>
        isReserved(token) ? token : (addressOf(chainId, token) ?? token)
      return { ...parameters, in: pinned(parameters.in), out: pinned(parameters.out) }
    },
  }
}

function isReserved(token: string): boolean {
  return Domain.reservedSymbols.some((symbol) => symbol === token.toUpperCase())
}
