import type { Rpc } from '@sluice/deploy'
import { type Address, getContractAddress, type Hex } from 'viem'
import { balancerFactory, createPoolCall } from './balancer.js'
import { balancerV3Pool, balancerV3Seeder, createBalancerV3Pool } from './balancerV3.js'
import type { ChainSpec, TokenSpec } from './chains.js'
import { fund } from './fund.js'
import { createHookedPool, hookedPool, poolWithDevHook, positionManager } from './hookedPool.js'
import { rounded } from './liquidity.js'
import type { ListedSpec } from './market.js'
import { joinListed } from './seedListed.js'
import { sendInOneBlock } from './transactions.js'

/** Pools that a search finds only if the caller proposes them, by the venue that trades on them: addresses, and an id. */
export type HintedPools = Readonly<
  Record<'balancer-v2-factory' | 'balancer-v3' | 'uniswap-v4-hooks', Hex>
>

const usd = 24e6
const amplification = 400
const feePips = 100

/**
 * Creates a weighted pool of Balancer V2, a stable pool of Balancer V3 and a pool of Uniswap V4 with hooks, for pairs
 * with little else.
 */
export async function seedHinted(
  rpc: Rpc,
  chain: ChainSpec,
  account: Address,
): Promise<HintedPools> {
  const tokensOf = (symbols: readonly string[]) =>
    chain.tokens
      .filter(({ symbol }) => symbols.includes(symbol))
      .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  const stable = tokensOf(['USDC', 'USDe'])
  const spec = {
    tokens: stable.map(({ address }) => address),
    // The same number of whole tokens of each.
    amounts: stable.map(({ decimals }) => rounded(usd / 2) * 10n ** BigInt(decimals)),
    amplification: BigInt(amplification),
    feePips,
  }
  const weighted = weightedOf(tokensOf(['LINK', 'UNI']))
  const from = balancerFactory('balancerWeighted')
  const [nonce] = await rpc.batch<Hex>([['eth_getTransactionCount', [from, 'latest']]])
  const pool = getContractAddress({ from, nonce: BigInt(nonce!) })
  await sendInOneBlock(rpc, [
    { from: account, to: from, data: createPoolCall(weighted, account) },
    fund(account, { tokens: spec.tokens, to: balancerV3Seeder, amounts: spec.amounts }),
    ...createBalancerV3Pool(spec, account),
  ])
  const halves = halvesOf(tokensOf(['UNI', 'USDe']))
  const hooked = poolWithDevHook(halves)
  await sendInOneBlock(rpc, [
    fund(account, { ...halves, to: positionManager }),
    ...createHookedPool(hooked, { account, manager: chain.uniswapV4.address }),
  ])
  await sendInOneBlock(rpc, await joinListed(rpc, new Map([[weighted, pool]]), account))
  return {
    'balancer-v2-factory': pool,
    'balancer-v3': balancerV3Pool(spec),
    'uniswap-v4-hooks': hookedPool(hooked),
  }
}

function halvesOf(tokens: readonly TokenSpec[]): Parameters<typeof poolWithDevHook>[0] {
  const [token0, token1] = tokens as [TokenSpec, TokenSpec]
  const amountOf = ({ decimals, usd: price }: TokenSpec) =>
    rounded((usd / 2 / price) * 10 ** decimals)
  return {
    tokens: [token0.address, token1.address],
    amounts: [amountOf(token0), amountOf(token1)],
  }
}

function weightedOf(tokens: readonly TokenSpec[]): ListedSpec {
  return {
    kind: 'balancerWeighted',
    token0: tokens[0]!,
    token1: tokens[1]!,
    tokens,
    amounts: tokens.map((token) => rounded((usd / 2 / token.usd) * 10 ** token.decimals)),
    weights: tokens.map(() => 5n * 10n ** 17n),
    amplification: 0,
    feePips,
  }
}
