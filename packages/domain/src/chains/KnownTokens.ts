import type { Address } from 'viem'
import type { ServedChain } from '../registry/ServedChain.js'
import * as Addresses from '../values/Addresses.js'

/** A token whose symbol always means this address on its chain, even if other tokens use the symbol. */
export type KnownToken = {
  readonly symbol: string
  readonly name: string
  readonly address: Address
  readonly decimals: number
}

const dai = { symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18 } as const
const usdt = { symbol: 'USDT', name: 'Tether USD', decimals: 6 } as const
const wbtc = { symbol: 'WBTC', name: 'Wrapped BTC', decimals: 8 } as const

const usdc = { symbol: 'USDC', name: 'USD Coin', decimals: 6 } as const

/** Stablecoins of chains where USDC is not issued. */
const otherDollars: ReadonlyMap<number, Omit<KnownToken, 'address'>> = new Map([
  [4_663, { symbol: 'USDG', name: 'Global Dollar', decimals: 6 }],
])

/** Connector tokens by chain id, with the texts and decimals that their contracts return. */
const byChain: ReadonlyMap<number, readonly KnownToken[]> = new Map([
  [
    8_453,
    [
      { ...dai, address: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb' },
      {
        symbol: 'USDbC',
        name: 'USD Base Coin',
        decimals: 6,
        address: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
      },
      {
        symbol: 'cbBTC',
        name: 'Coinbase Wrapped BTC',
        decimals: 8,
        address: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
      },
    ],
  ],
  [
    1,
    [
      { ...dai, address: '0x6B175474E89094C44Da98b954EedeAC495271d0F' },
      { ...usdt, address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
      { ...wbtc, address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599' },
    ],
  ],
  [
    10,
    [
      { ...dai, address: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1' },
      { ...usdt, address: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58' },
      { ...wbtc, address: '0x68f180fcCe6836688e9084f035309E29Bf0A2095' },
    ],
  ],
  [
    42_161,
    [
      { ...dai, address: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1' },
      { ...usdt, address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9' },
      { ...wbtc, address: '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f' },
    ],
  ],
  [
    4_663,
    [
      {
        symbol: 'USDe',
        name: 'USDe',
        decimals: 18,
        address: '0x5d3a1Ff2b6BAb83b63cd9AD0787074081a52ef34',
      },
    ],
  ],
])

/** What a chain's `usdc` is: USDC, or the stablecoin in its place. */
export function dollarOf(chainId: number): Omit<KnownToken, 'address'> {
  return otherDollars.get(chainId) ?? usdc
}

/** Well-known tokens of a chain: its wrapped native token, its USD stablecoin, then its connector tokens. */
export function of(
  chain: Pick<ServedChain, 'chainId' | 'usdc' | 'wrappedNative'>,
): readonly KnownToken[] {
  return [
    { symbol: 'WETH', name: 'Wrapped Ether', address: chain.wrappedNative, decimals: 18 },
    { ...dollarOf(chain.chainId), address: chain.usdc },
    ...(byChain.get(chain.chainId) ?? []),
  ]
}

/** Finds a token by its symbol, ignoring case. */
export function find(chain: Parameters<typeof of>[0], symbol: string): KnownToken | undefined {
  return of(chain).find((token) => token.symbol.toUpperCase() === symbol.toUpperCase())
}

/** Finds a token by its address. */
export function at(chain: Parameters<typeof of>[0], address: string): KnownToken | undefined {
  return of(chain).find((token) => Addresses.equal(token.address, address))
}
