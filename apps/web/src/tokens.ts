import { Addresses, Decimals, Texts } from '@sluice/domain'
import { type Client, prepareQuote } from '@sluice/sdk'
import type { Registry } from '@sluice/sdk/verify'
import type { AskNode } from './askNode.js'

/** What the page knows of a token; without decimals its amounts are shown in base units. */
export type TokenFacts = { readonly name: string; readonly decimals: number | undefined }

export type Tokens = {
  /** A name for a token of a quote: the registry's symbol, or its address cut short. */
  readonly nameOf: (chainId: number, address: string) => string
  readonly decimalsOf: (chainId: number, token: string) => number | undefined
  /** Finds out decimals that are not known, where there is a node to ask. */
  readonly learn: (chainId: number, token: string, ask: AskNode | undefined) => Promise<void>
}

const decimalsCall = '0x313ce567'
/** More than this no token has that is meant for people; some lie. */
const mostDecimals = 36

export function createTokens(client: Client, registry: Registry): Tokens {
  const learned = new Map<string, number>()
  const keyOf = (chainId: number, token: string) => `${chainId} ${token.toLowerCase()}`
  const decimalsOf = (chainId: number, token: string) =>
    Decimals.find(chainId, token) ??
    learned.get(keyOf(chainId, token)) ??
    ownDecimals(chainId, token)

  function ownDecimals(chainId: number, token: string): number | undefined {
    const slu = registry.get(chainId)?.slu
    return slu && Addresses.equal(slu, token) ? Decimals.find(chainId, 'SLU') : undefined
  }

  async function addressOf(chainId: number, token: string): Promise<string> {
    if (Addresses.hasShape(token)) return token
    const out = token.toUpperCase() === 'USDC' ? 'WETH' : 'USDC'
    const { request } = await prepareQuote(client, { chain: chainId, in: token, out, amountIn: 1n })
    return request.in
  }

  return {
    decimalsOf,
    nameOf(chainId, address) {
      const chain = registry.get(chainId)
      const known = chain && [
        [chain.wrappedNative, 'WETH'],
        [chain.usdc, 'USDC'],
        [chain.slu ?? '', 'SLU'],
      ]
      const symbol = known?.find(([each]) => Addresses.equal(each!, address))?.[1]
      return symbol ?? (Addresses.hasShape(address) ? shorten(address) : Texts.visible(address, 12))
    },
    async learn(chainId, token, ask) {
      if (ask === undefined || decimalsOf(chainId, token) !== undefined) return
      const to = await addressOf(chainId, token)
      const answer = await ask('eth_call', [{ to, data: decimalsCall }, 'latest'])
      if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/.test(answer)) return
      const decimals = BigInt(answer)
      if (decimals > BigInt(mostDecimals)) return
      for (const name of [token, to]) learned.set(keyOf(chainId, name), Number(decimals))
    },
  }
}

export function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
