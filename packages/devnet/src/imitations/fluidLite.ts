import { creationAddress } from '@sluice/deploy'
import { PoolHints } from '@sluice/domain'
import { type Address, encodeFunctionData, zeroHash } from 'viem'
import type { ChainSpec } from '../chains.js'
import { fund } from '../fund.js'
import { devFluidLiteAbi, devFluidLiteBytecode } from '../generated/devFluidLite.js'
import type { Transaction } from '../transactions.js'
import { create, type Imitation, tokenOf, worth } from './Imitation.js'

type Spec = {
  /** In the order of their addresses, where the native currency counts for the wrapped token. */
  readonly tokens: readonly [string, string]
  readonly isNative: boolean
  /** Value of both sides on a chain of depth 1. */
  readonly usd: number
}

const specs: readonly Spec[] = [
  { tokens: ['wstETH', 'WETH'], isNative: true, usd: 4e6 },
  { tokens: ['WBTC', 'cbBTC'], isNative: false, usd: 3e6 },
]
const registry = creationAddress(devFluidLiteBytecode)
/** Stands for the native currency. */
const native: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const feePips = 50n
/** Part of the fee that leaves the pool, in percent. */
const revenueCut = 10n
/** The range on each side of the center price, in 1/100 percent. */
const range = 100n
const [adjustedDecimals, priceDecimals] = [9n, 27n]

/** Fluid DEX Lite, with a pool of the native currency and another one. Their center prices stay. */
export const fluidLite: Imitation = {
  id: 'fluid-dex-lite',
  registry: () => registry,
  open(chain, account) {
    return {
      pools: specs.map((_, index) => PoolHints.fromPlace(index + 1)),
      transactions: [
        create(account, devFluidLiteBytecode),
        ...specs.flatMap((spec) => openPool(chain, spec, account)),
      ],
    }
  },
}

function openPool(
  chain: ChainSpec,
  { isNative, tokens: symbols, usd }: Spec,
  from: Address,
): Transaction[] {
  const tokens = symbols.map((symbol) => tokenOf(chain, symbol))
  const [token0, token1] = [tokens[0]!, tokens[1]!]
  const amounts = tokens.map((token) => worth((usd * chain.depth) / 2, token))
  const [supply0, supply1] = tokens.map(
    ({ decimals }, index) => (amounts[index]! * 10n ** adjustedDecimals) / 10n ** BigInt(decimals),
  )
  const center = (supply1! * 10n ** priceDecimals) / supply0!
  const create = encodeFunctionData({
    abi: devFluidLiteAbi,
    functionName: 'create',
    args: [
      { token0: token0.address, token1: isNative ? native : token1.address, salt: zeroHash },
      {
        ...{ feePips, revenueCut, center, supply0: supply0!, supply1: supply1! },
        ...{ up: range, down: range },
        ...{ way: 0n, since: 0n, duration: 0n, most: 0n, least: 0n },
      },
    ],
  })
  // The native currency is sent.
  const funded = isNative ? 1 : 2
  return [
    { from, to: registry, data: create },
    fund(from, {
      tokens: tokens.slice(0, funded).map(({ address }) => address),
      to: registry,
      amounts: amounts.slice(0, funded),
    }),
    ...(isNative ? [{ from, to: registry, value: amounts[1]! }] : []),
  ]
}
