import { creationAddress, creationCall, deterministicDeployer, type Rpc } from '@sluice/deploy'
import {
  account,
  type BalancerV3Spec,
  balancerFactory,
  balancerV3Pool,
  balancerV3Seeder,
  balancerV3Vault,
  type ChainSpec,
  createBalancerV3Pool,
  fund,
  installBalancerV3,
  type PoolSpec,
  rounded,
  sendInOneBlock,
  type TokenSpec,
} from '@sluice/devnet'
import { type Address, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { type Compiled, compileFixtures } from '../../../gas/compileFixture.js'
import type { OracleEdge } from '../../../optimizer/Oracle.js'
import * as Random from '../../../optimizer/Random.js'
import { drawDepth, pairOf } from '../drawPools.js'
import { peersOf } from '../drawSpec.js'
import type { AddedPool, Annexed } from './Annex.js'
import { type CryptoPool, cryptoCurve } from './cryptoCurve.js'

/** Numbers of pools. Those of Balancer are found as hints only, of which a call has at most eight. */
const [BALANCER_V2, BALANCER_V3, CRYPTO] = [5, 3, 3]
const WHOLE_FEE = 1e10
const [ONE, ANN_ONE] = [1e18, 1e4]

/** Returns the venue of a pool that a registry vouches for; undefined if the chain's own venues have it. */
export function registeredVenue(pool: PoolSpec): string | undefined {
  if (!('isRegistered' in pool) || !pool.isRegistered) return undefined
  return { curve: 'curve-registry', ...balancerVenues }[pool.kind]
}

const balancerVenues = {
  balancerWeighted: 'balancer-v2-weighted-factory',
  balancerStable: 'balancer-v2-stable-factory',
} as const

/**
 * Makes registries vouch for all pools of Curve and Balancer V2, in place of the Hub's list, and adds pools of Balancer V3 and
 * of Curve's cryptoswap.
 */
export function addRegistries(
  random: Random.Random,
  given: ChainSpec,
  drawn: readonly PoolSpec[],
): Annexed {
  let balancers = 0
  const pools = drawn.flatMap((pool): PoolSpec[] => {
    if (pool.kind === 'curve') return [{ ...pool, isRegistered: true }]
    if (pool.kind !== 'balancerWeighted' && pool.kind !== 'balancerStable') return [pool]
    return ++balancers > BALANCER_V2 ? [] : [{ ...pool, isRegistered: true }]
  })
  const spec = { ...given, hasRegistry: true }
  const stables = Array.from({ length: BALANCER_V3 }, (_, k) => drawV3(random, spec, k))
  const cryptos = Array.from({ length: CRYPTO }, () => drawCrypto(random, spec))
  return {
    spec,
    pools,
    added: [...stables.map(({ added }) => added), ...cryptos.map(({ added }) => added)],
    annex: async (rpc) => {
      await installBalancerV3(rpc, account.address)
      for (const { balancer } of stables) await seedV3(rpc, balancer)
      await seedCryptos(rpc, cryptos)
      const venue = (id: string, adapter: string, factory: Address) => ({
        ...{ id, kind: 'adapter', adapter, factory },
      })
      return [
        venue(balancerVenues.balancerWeighted, 'balancerV2', balancerFactory('balancerWeighted')),
        venue(balancerVenues.balancerStable, 'balancerV2', balancerFactory('balancerStable')),
        venue('balancer-v3', 'balancerV3', balancerV3Vault),
        venue('curve-crypto', 'curveCrypto', registry()),
      ]
    },
  }
}

function drawV3(random: Random.Random, spec: ChainSpec, number: number) {
  const [token0, token1] = pairOf(random, Random.pick(random, peersOf(spec)))
  const tokens = [token0, token1]
  const depth = drawDepth(random)
  const amounts = tokens.map(({ decimals, usd }) =>
    rounded(((depth * Random.between(random, 0.6, 1.7)) / usd) * 10 ** decimals),
  )
  // A pool's address depends on its amplification only.
  const amplification = Math.floor(Random.between(random, 20, 2000)) * BALANCER_V3 + number
  const feePips = Math.floor(Random.between(random, 30, 500))
  const balancer: BalancerV3Spec = {
    tokens: tokens.map(({ address }) => address),
    amounts,
    amplification: BigInt(amplification),
    feePips,
  }
  const pool = balancerV3Pool(balancer)
  const added: AddedPool = {
    id: `balancer-v3-${number}`,
    venue: 'balancer-v3',
    pool,
    isHinted: true,
    seen: {
      id: `balancer-v3-${number}`,
      kind: 'stable',
      fee: feePips,
      tokens: [...balancer.tokens],
      balances: amounts.map(String),
      rates: tokens.map(({ decimals }) => `${10n ** BigInt(decimals)}`),
      A: amplification,
      feeOn: 'in',
    },
  }
  return { added, balancer }
}

async function seedV3(rpc: Rpc, balancer: BalancerV3Spec): Promise<void> {
  const { amounts, tokens } = balancer
  await sendInOneBlock(rpc, [
    fund(account.address, { tokens, to: balancerV3Seeder, amounts }),
    ...createBalancerV3Pool(balancer, account.address),
  ])
}

type Crypto = {
  creation: Hex
  tokens: readonly Address[]
  added: AddedPool
}

/** Draws a pool of USDC and a token of another value, as most are. The pool mints what it holds, which not all tokens allow. */
function drawCrypto(random: Random.Random, spec: ChainSpec): Crypto {
  const first = spec.tokens.find(({ symbol }) => symbol === 'USDC')!
  const second = Random.pick(random, peersOf(spec).slice(1).flat().filter(isMintable(spec)))
  const tokens = [first, second] as const
  const depth = drawDepth(random) + 1e4
  const scale = rounded((second.usd / first.usd) * Random.between(random, 0.98, 1.02) * ONE)
  const amounts = tokens.map((token) =>
    rounded((depth * Random.between(random, 0.8, 1.25)) / unitOf(token)),
  )
  const parameters = {
    ann: BigInt(4 * ANN_ONE * Math.floor(Random.between(random, 1, 100))),
    gamma: rounded(Random.between(random, 1e13, 1e15)),
    midFee: rounded(Random.between(random, 1e6, 3e7)),
    outFee: rounded(Random.between(random, 3e7, 6e7)),
    feeGamma: rounded(Random.between(random, 1e14, 1e16)),
  }
  const { abi, bytecode } = contracts().ReceiverCryptoSwap
  const addresses = tokens.map(({ address }) => address)
  const args = [addresses, amounts, [scale], parameters]
  const creation = encodeDeployData({ abi, bytecode, args })
  // Units of the balances are whole units of the first token.
  const units = [10 ** first.decimals, 10 ** second.decimals / (Number(scale) / ONE)] as const
  const known: CryptoPool = {
    balances: [Number(amounts[0]) / units[0], Number(amounts[1]) / units[1]],
    ann: Number(parameters.ann) / ANN_ONE,
    gamma: Number(parameters.gamma) / ONE,
    midFee: Number(parameters.midFee) / WHOLE_FEE,
    outFee: Number(parameters.outFee) / WHOLE_FEE,
    feeGamma: Number(parameters.feeGamma) / ONE,
  }
  const pool = creationAddress(creation)
  const id = `curve-crypto-${pool.slice(2, 10)}`
  const [token0, token1] = addresses as [Address, Address]
  const curveOf = ({ from }: OracleEdge) => {
    const zeroForOne = from === token0
    const [unitIn, unitOut] = zeroForOne ? units : ([units[1], units[0]] as const)
    return cryptoCurve(known, { zeroForOne, unitIn, unitOut })
  }
  const seen = { id, kind: 'v2', fee: 0, token0, token1, reserve0: '1', reserve1: '1' } as const
  const added = { id, venue: 'curve-crypto', pool, isHinted: false, seen, curveOf }
  return { creation, tokens: addresses, added }
}

/** Creates the registry and its pools. */
async function seedCryptos(rpc: Rpc, cryptos: readonly Crypto[]): Promise<void> {
  const from = account.address
  const create = (creation: Hex) => ({
    from,
    to: deterministicDeployer,
    data: creationCall(creation),
  })
  const { abi } = contracts().CurveRegistry
  await sendInOneBlock(rpc, [
    create(registryCreation()),
    ...cryptos.flatMap(({ added, creation, tokens }) => {
      const args = [added.pool, tokens]
      const data = encodeFunctionData({ abi, functionName: 'add', args })
      return [create(creation), { from, to: registry(), data }]
    }),
  ])
}

function registry(): Address {
  return creationAddress(registryCreation())
}

function registryCreation(): Hex {
  const { abi, bytecode } = contracts().CurveRegistry
  return encodeDeployData({ abi, bytecode, args: [false] })
}

let compiled: Record<'CurveRegistry' | 'ReceiverCryptoSwap', Compiled> | undefined

function contracts() {
  compiled ??= {
    ...compileFixtures('CurveRegistries', ['CurveRegistry']),
    ...compileFixtures('CryptoSwapPools', ['ReceiverCryptoSwap']),
  }
  return compiled
}

function isMintable({ wrappedNative }: ChainSpec): (token: TokenSpec) => boolean {
  return ({ address }) => address !== wrappedNative
}

/** Value of a base unit in US dollars. */
function unitOf({ usd, decimals }: TokenSpec): number {
  return usd / 10 ** decimals
}
