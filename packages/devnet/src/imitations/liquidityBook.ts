import { creationAddress } from '@sluice/deploy'
import { type Address, encodeFunctionData, getContractAddress, parseAbi } from 'viem'
import type { ChainSpec } from '../chains.js'
import { fund } from '../fund.js'
import { devBookFactoryAbi, devBookFactoryBytecode } from '../generated/devBookFactory.js'
import { unitUsd } from '../market.js'
import type { Transaction } from '../transactions.js'
import { create, type Imitation, tokenOf, worth } from './Imitation.js'

type Book = {
  readonly tokenX: string
  readonly tokenY: string
  /** From bin to bin, in basis points. */
  readonly step: number
  /** Value of both sides on a chain of depth 1. */
  readonly usd: number
}

const books: readonly Book[] = [
  { tokenX: 'wstETH', tokenY: 'WETH', step: 5, usd: 8e6 },
  { tokenX: 'ARB', tokenY: 'USDC', step: 20, usd: 2e6 },
]
const registry = creationAddress(devBookFactoryBytecode)
/** The bin of price one. */
const evenId = 2 ** 23
/** Bins on each side of the active one. */
const binsAside = 4
/** The base fee is 0.6 of a step, and swaps that pass bins raise it for ten minutes. */
const fees = {
  baseFactor: 6_000,
  filterPeriod: 30,
  decayPeriod: 600,
  reductionFactor: 5_000,
  variableFeeControl: 40_000,
  protocolShare: 1_000,
  maxVolatilityAccumulator: 350_000,
}
const pairAbi = parseAbi(['function add(uint24 id, uint128 x, uint128 y)'])

/** Liquidity Book, with two pairs. */
export const liquidityBook: Imitation = {
  id: 'liquidity-book-v2.2',
  registry: () => registry,
  open(chain, account) {
    const pools = books.map((_, index) =>
      getContractAddress({ from: registry, nonce: BigInt(index + 1) }),
    )
    const pairs = books.flatMap((book, index) => openBook(chain, book, pools[index]!, account))
    return { pools, transactions: [create(account, devBookFactoryBytecode), ...pairs] }
  },
}

/** Creates a pair with the same value in each bin. The active one has both tokens. */
function openBook(
  chain: ChainSpec,
  { step, usd, ...symbols }: Book,
  pair: Address,
  from: Address,
): Transaction[] {
  const [x, y] = [tokenOf(chain, symbols.tokenX), tokenOf(chain, symbols.tokenY)]
  const steps = Math.log(unitUsd(x) / unitUsd(y)) / Math.log(1 + step / 10_000)
  const active = evenId + Math.round(steps)
  const ofBin = (usd * chain.depth) / 2 / (binsAside + 1)
  const [amountX, amountY] = [worth(ofBin, x), worth(ofBin, y)]
  const all = BigInt(binsAside + 1)
  const bins = Array.from({ length: 2 * binsAside + 1 }, (_, index) => active - binsAside + index)
  return [
    {
      from,
      to: registry,
      data: encodeFunctionData({
        abi: devBookFactoryAbi,
        functionName: 'createPair',
        args: [x.address, y.address, step, active, fees],
      }),
    },
    fund(from, {
      tokens: [x.address, y.address],
      to: pair,
      amounts: [amountX * all, amountY * all],
    }),
    ...bins.map((id) => ({
      from,
      to: pair,
      data: encodeFunctionData({
        abi: pairAbi,
        functionName: 'add',
        args: [id, id < active ? 0n : amountX, id > active ? 0n : amountY],
      }),
    })),
  ]
}
