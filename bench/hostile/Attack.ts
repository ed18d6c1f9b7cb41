import type { ChainSpec, TokenSpec } from '@sluice/devnet'
import type { Address, Hex } from 'viem'
import type * as Random from '../optimizer/Random.js'
import type { HookFixture } from '../quality/made/annexes/hooks.js'
import type { OpenPool } from './craft.js'

/** Behaviors of an attacker's token, with the names of the development token. */
export const lies = ['plain', 'taxed', 'paused', 'burnsGas', 'hugeReturn'] as const
export type Lie = (typeof lies)[number]

/** What an attacker adds to a market. */
export type Attack = {
  pools: readonly OpenPool[]
  /** The attacker's own tokens. They start to misbehave once the pools exist. All are passed as hints. */
  tokens: readonly { spec: TokenSpec; lie: Lie }[]
  /** Pools with the attacker's hooks. All are passed as pool hints. */
  hooked: readonly HostilePool[]
}

/** The trade that is attacked, and its market. */
export type Scene = {
  spec: ChainSpec
  /** Keys of existing pools. */
  taken: ReadonlySet<string>
  tokenIn: TokenSpec
  tokenOut: TokenSpec
  connectors: readonly TokenSpec[]
  /** Value of the trade in US dollars. */
  tradeUsd: number
}

/** Everything that the draw of an attack depends on. */
export type Draw = {
  random: Random.Random
  scene: Scene
  /** The attacker's budget in US dollars. */
  usd: number
  /** Picks up to `most` pairs in play, always with the trade's own pair. */
  pairs(most: number): Pair[]
}
export type Pair = readonly [from: TokenSpec, to: TokenSpec]

/** A pool of Uniswap V4 with the attacker's hook. */
export type HostilePool = {
  hook: {
    at: Address
    fixture: HookFixture
    /** Arguments of the constructor after the PoolManager, if it takes that. */
    args: readonly unknown[]
    /** What is called of the hook once it stands, given the contracts that it can call. */
    setUp?: ((targets: Targets) => Hex) | undefined
    /** Whether it has as much of each token as the pool. */
    isRich: boolean
  }
  /** Price and positions, which may be none. */
  pool: Extract<OpenPool, { ranges: unknown }>
}

/** Contracts that a reentrant hook may call. */
export type Targets = { adapter: Address; manager: Address; quoter: Address; router: Address }
