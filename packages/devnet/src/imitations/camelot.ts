import { creationAddress } from '@sluice/deploy'
import { type Address, encodeFunctionData, getContractAddress, parseAbi } from 'viem'
import type { ChainSpec } from '../chains.js'
import { fund } from '../fund.js'
import { devCamelotFactoryAbi, devCamelotFactoryBytecode } from '../generated/devCamelotFactory.js'
import { sorted } from '../market.js'
import type { Transaction } from '../transactions.js'
import { create, type Imitation, tokenOf, worth } from './Imitation.js'

type Pair = {
  readonly tokens: readonly [string, string]
  readonly isStable: boolean
  /** Of each direction, in parts of 100,000. */
  readonly fee: number
  /** Value of both sides on a chain of depth 1. */
  readonly usd: number
}

const pairs: readonly Pair[] = [
  { tokens: ['ARB', 'WETH'], isStable: false, fee: 150, usd: 4e6 },
  { tokens: ['USDC.e', 'USDT'], isStable: true, fee: 40, usd: 4e6 },
]
const registry = creationAddress(devCamelotFactoryBytecode)
const pairAbi = parseAbi([
  'function setStableSwap(bool stable, uint112 reserve0, uint112 reserve1)',
  'function setFeePercent(uint16 fee0, uint16 fee1)',
  'function sync()',
])

/** Camelot V2, with a volatile and a stable pair. */
export const camelot: Imitation = {
  id: 'camelot-v2',
  registry: () => registry,
  open(chain, account) {
    const pools = pairs.map((_, index) =>
      getContractAddress({ from: registry, nonce: BigInt(index + 1) }),
    )
    const opened = pairs.flatMap((pair, index) => openPair(chain, pair, pools[index]!, account))
    return { pools, transactions: [create(account, devCamelotFactoryBytecode), ...opened] }
  },
}

/** Creates a pair with the same value of each token. */
function openPair(
  chain: ChainSpec,
  { fee, isStable, tokens: [a, b], usd }: Pair,
  pair: Address,
  from: Address,
): Transaction[] {
  const both = sorted(tokenOf(chain, a), tokenOf(chain, b))
  const [first, second] = both.map(({ address }) => address) as [Address, Address]
  const onPair = (data: `0x${string}`): Transaction => ({ from, to: pair, data })
  const half = (usd * chain.depth) / 2
  return [
    {
      from,
      to: registry,
      data: encodeFunctionData({
        abi: devCamelotFactoryAbi,
        functionName: 'createPair',
        args: [first, second],
      }),
    },
    fund(from, {
      tokens: [first, second],
      to: pair,
      amounts: both.map((token) => worth(half, token)),
    }),
    onPair(encodeFunctionData({ abi: pairAbi, functionName: 'setFeePercent', args: [fee, fee] })),
    onPair(
      encodeFunctionData({ abi: pairAbi, functionName: 'setStableSwap', args: [isStable, 0n, 0n] }),
    ),
    onPair(encodeFunctionData({ abi: pairAbi, functionName: 'sync' })),
  ]
}
