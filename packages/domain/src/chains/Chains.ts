import type { Address } from 'viem'

/** A chain that is known by name. */
export type Chain = {
  readonly chainId: number
  /** Value of the `chain` parameter in place of the id. */
  readonly alias: string
  /** Display name. */
  readonly name: string
  readonly explorer: string
  readonly wrappedNative: Address
  /** The USD stablecoin: USDC, or another where USDC is not issued (`KnownTokens.dollarOf`). */
  readonly usdc: Address
  /** How a rollup charges for data on layer 1; unset for other chains. */
  readonly dataFee?: 'opStack' | 'arbitrum' | undefined
  /** Time between blocks. */
  readonly blockTimeMs: number
}

/** Base. */
export const base: Chain = {
  chainId: 8453,
  alias: 'base',
  name: 'Base',
  explorer: 'https://basescan.org',
  wrappedNative: '0x4200000000000000000000000000000000000006',
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  dataFee: 'opStack',
  blockTimeMs: 2_000,
}

/** Ethereum mainnet. */
export const ethereum: Chain = {
  chainId: 1,
  alias: 'eth',
  name: 'Ethereum',
  explorer: 'https://etherscan.io',
  wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  blockTimeMs: 12_000,
}

/** OP Mainnet. */
export const optimism: Chain = {
  chainId: 10,
  alias: 'optimism',
  name: 'Optimism',
  explorer: 'https://optimistic.etherscan.io',
  wrappedNative: '0x4200000000000000000000000000000000000006',
  usdc: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  dataFee: 'opStack',
  blockTimeMs: 2_000,
}

/** Arbitrum One. */
export const arbitrum: Chain = {
  chainId: 42161,
  alias: 'arbitrum',
  name: 'Arbitrum',
  explorer: 'https://arbiscan.io',
  wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  usdc: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  dataFee: 'arbitrum',
  blockTimeMs: 250,
}

/** Robinhood Chain, a rollup of Arbitrum's kind. */
export const robinhood: Chain = {
  chainId: 4663,
  alias: 'robinhood',
  name: 'Robinhood Chain',
  explorer: 'https://robinhoodchain.blockscout.com',
  wrappedNative: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
  usdc: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168',
  dataFee: 'arbitrum',
  blockTimeMs: 100,
}

/** Chains with a chain config, in the order of the documentation. */
export const all: readonly Chain[] = [base, ethereum, optimism, arbitrum, robinhood]

const idsByText: ReadonlyMap<string, number> = new Map(
  all.flatMap((chain) => [
    [String(chain.chainId), chain.chainId],
    [chain.alias, chain.chainId],
  ]),
)

/**
 * Chain id of a `chain` parameter: an alias from `all`, or a decimal id without sign or leading zeros. `undefined` for
 * anything else. Ids that are not in `all` are valid, because an operator can serve other chains.
 */
export function idOf(text: string): number | undefined {
  return idsByText.get(text) ?? (/^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined)
}

/** The chain with an id; `undefined` if it is unknown. */
export function find(chainId: number): Chain | undefined {
  return all.find((chain) => chain.chainId === chainId)
}
