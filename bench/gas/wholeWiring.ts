import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Call, deployGeneration, parseChainConfig, type Rpc } from '@sluice/deploy'
import { account, type ChainSpec, chainSpecs, fund, type TokenSpec } from '@sluice/devnet'
import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  numberToHex,
} from 'viem'
import { balancerFactory, createPoolCall } from '../../packages/devnet/src/balancer.js'
import {
  balancerV3Pool,
  balancerV3Seeder,
  createBalancerV3Pool,
} from '../../packages/devnet/src/balancerV3.js'
import { installChain, openChain } from '../../packages/devnet/src/furnishChain.js'
import {
  createHookedPool,
  hookedPool,
  poolWithDevHook,
  positionManager,
} from '../../packages/devnet/src/hookedPool.js'
import { type ListedSpec, marketOf, type PoolSpec } from '../../packages/devnet/src/market.js'
import { joinListed } from '../../packages/devnet/src/seedListed.js'
import { sendInOneBlock } from '../../packages/devnet/src/transactions.js'
import { inRepository } from '../lib/repository.js'

/** A chain with all venues of its chain config, and pools on those that the devnet has. */
export type WholeWiring = {
  readonly spec: ChainSpec
  readonly quoter: Address
  /** Ids of the venues in the order of their numbers, which start at 1. */
  readonly venues: readonly string[]
  /** Four tokens that are no connector tokens. */
  readonly connectors: readonly Address[]
  /** Eight pools that only hints find, of Balancer V2 and V3 and of Uniswap V4 with hooks, between `connectors`. */
  readonly pools: readonly Hex[]
  /** Fills venues without pools of their own with copies of those of the same kind: the same code and storage. */
  readonly copyPools: () => Promise<void>
}

/** Members of a venue of a chain config that are used here. */
type Venue = {
  readonly id: string
  readonly kind: string
  readonly factory: Address
  readonly deployer?: Address
  readonly initCodeHash?: Hex
  readonly adapter?: string
}
type ConfigFile = {
  readonly venues: readonly Venue[]
  readonly pools?: readonly { readonly venue: string }[]
}

/** Symbols of the tokens between which pools are hinted. */
const hintedSymbols = ['LINK', 'UNI', 'USDe'] as const
const usd = 24e6

/** Deploys the protocol with a chain's config on a fresh node, which has pools at the addresses that the config derives. */
export async function openWholeWiring(rpc: Rpc, chainId: number): Promise<WholeWiring> {
  const spec = specOf(chainId)
  await installChain(rpc, spec, account)
  const pools = marketOf(spec, { seed: 1 })
  const { addresses, configFile, hinted } = await openChain(rpc, spec, {
    ...{ pools, account },
    isDeployed: false,
  })
  await rpc.request('evm_setAutomine', [false])
  const more = await addHinted(rpc, spec)
  await rpc.request('evm_setAutomine', [true])
  const real = JSON.parse(
    readFileSync(inRepository(`packages/deploy/chains/${chainId}.json`), 'utf8'),
  ) as ConfigFile
  const own = configFile as ConfigFile
  const file = withOwn(real, own)
  const { deployments } = await deployGeneration(rpc, { config: parseChainConfig(file) })
  const symbols = [...hintedSymbols, 'MOSS']
  return {
    spec,
    quoter: deployments.chains[chainId]!.versions['1.0.0']!.quoter,
    venues: file.venues.map(({ id }) => id),
    connectors: symbols.map((symbol) => tokenOf(spec, symbol).address),
    pools: [...Object.values(hinted!), ...more],
    copyPools: () => copyPools(rpc, { file, own, pools, addresses }),
  }
}

/** The devnet's chain with everything that the devnet can create, also what the real chain lacks. */
function specOf(chainId: number): ChainSpec {
  const spec = chainSpecs.find((each) => each.chainId === chainId)!
  const ethereum = chainSpecs.find((each) => each.chainId === 1)!
  const wanted = [...hintedSymbols, 'DAI', 'USDC']
  const missing = ethereum.tokens.filter(
    ({ symbol }) => wanted.includes(symbol) && !spec.tokens.some((own) => own.symbol === symbol),
  )
  const all = { hasHinted: true, hasListed: true, hasConverters: true, hasRegistry: true }
  return { ...spec, ...all, tokens: [...spec.tokens, ...missing] }
}

export function tokenOf({ tokens }: ChainSpec, symbol: string): TokenSpec {
  return tokens.find((token) => token.symbol === symbol)!
}

/**
 * The real config, with the registries, listed pools and Algebra factory that the devnet has in place of the real ones. Of venues
 * with the same adapter the first gets the devnet's registry, and the others keep theirs, which have no pools here.
 */
function withOwn(real: ConfigFile, own: ConfigFile): ConfigFile {
  const replaced = new Set<string>()
  const venues = real.venues.map((venue) => {
    if (venue.kind === 'algebra')
      return { ...own.venues.find(({ kind }) => kind === 'algebra')!, id: venue.id }
    const { adapter } = venue
    const same = own.venues.find((each) => each.adapter !== undefined && each.adapter === adapter)
    if (same === undefined || replaced.has(adapter!)) return venue
    replaced.add(adapter!)
    return { ...venue, factory: same.factory }
  })
  const isListed = new Set(real.pools?.map(({ venue }) => venue))
  return { ...real, venues, pools: own.pools!.filter(({ venue }) => isListed.has(venue)) }
}

/** Adds five pools beside those that the devnet has. */
async function addHinted(rpc: Rpc, spec: ChainSpec): Promise<readonly Hex[]> {
  const from = balancerFactory('balancerWeighted')
  const [nonce] = await rpc.batch<Hex>([['eth_getTransactionCount', [from, 'latest']]])
  const weighted = [
    ['UNI', 'USDe'],
    ['LINK', 'USDe'],
  ].map((symbols, index) => {
    const pool = getContractAddress({ from, nonce: BigInt(nonce!) + BigInt(index) })
    return [weightedOf(sorted(spec, symbols)), pool] as const
  })
  const hooked = [
    ['LINK', 'UNI'],
    ['LINK', 'USDe'],
  ].map((symbols) => {
    const [first, second] = sorted(spec, symbols) as [TokenSpec, TokenSpec]
    const tokens = [first.address, second.address] as const
    const amounts = [amountOf(first), amountOf(second)] as const
    return { tokens, amounts, spec: poolWithDevHook({ tokens, amounts }) }
  })
  const pair = sorted(spec, ['USDC', 'USDe'])
  const stable = {
    tokens: pair.map(({ address }) => address),
    amounts: pair.map(({ decimals }) => BigInt(usd / 2) * 10n ** BigInt(decimals)),
    amplification: 200n,
    feePips: 100,
  }
  await sendInOneBlock(rpc, [
    ...weighted.map(([pool]) => ({
      ...{ from: account.address, to: from },
      data: createPoolCall(pool, account.address),
    })),
    fund(account.address, { ...stable, to: balancerV3Seeder }),
    ...createBalancerV3Pool(stable, account.address),
  ])
  for (const { amounts, spec: pool, tokens } of hooked)
    await sendInOneBlock(rpc, [
      fund(account.address, { tokens, to: positionManager, amounts }),
      ...createHookedPool(pool, { account: account.address, manager: spec.uniswapV4.address }),
    ])
  await sendInOneBlock(rpc, await joinListed(rpc, new Map(weighted), account.address))
  return [
    ...weighted.map(([, pool]) => pool),
    balancerV3Pool(stable),
    ...hooked.map((each) => hookedPool(each.spec)),
  ]
}

function sorted(spec: ChainSpec, symbols: readonly string[]): readonly TokenSpec[] {
  return symbols
    .map((symbol) => tokenOf(spec, symbol))
    .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
}

function amountOf({ decimals, usd: price }: TokenSpec): bigint {
  return BigInt(Math.round(usd / 2 / price)) * 10n ** BigInt(decimals)
}

function weightedOf(tokens: readonly TokenSpec[]): ListedSpec {
  return {
    kind: 'balancerWeighted',
    token0: tokens[0]!,
    token1: tokens[1]!,
    tokens,
    amounts: tokens.map(amountOf),
    weights: tokens.map(() => 5n * 10n ** 17n),
    amplification: 0,
    feePips: 100,
  }
}

type Copying = {
  file: ConfigFile
  own: ConfigFile
  pools: readonly PoolSpec[]
  addresses: readonly Address[]
}

async function copyPools(rpc: Rpc, { addresses, file, own, pools }: Copying): Promise<void> {
  const dumped = await rpc.request<Hex>('anvil_dumpState', [])
  const { accounts } = JSON.parse(gunzipSync(Buffer.from(dumped.slice(2), 'hex')).toString()) as {
    accounts: Record<Address, { code: Hex; storage: Record<Hex, Hex> }>
  }
  const without = file.venues.filter(
    (venue) => !own.venues.some(({ factory }) => factory === venue.factory),
  )
  const calls = without.flatMap((venue) =>
    pools.flatMap((pool, index): Call[] => {
      const copy = copyAddress(venue, pool)
      if (copy === undefined) return []
      const { code, storage } = accounts[addresses[index]!.toLowerCase() as Address]!
      const slots = Object.entries(storage).map(([slot, value]): Call => {
        const padded = [slot, value].map((word) => numberToHex(BigInt(word), { size: 32 }))
        return ['hardhat_setStorageAt', [copy, numberToHex(BigInt(slot)), padded[1]]]
      })
      return [['hardhat_setCode', [copy, code]], ...slots]
    }),
  )
  for (let first = 0; first < calls.length; first += 1_000)
    await rpc.batch(calls.slice(first, first + 1_000))
}

const usualHashes: Readonly<Record<string, Hex>> = {
  uniswapV2: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
  uniswapV3: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
}

/** Address of the venue's pool with the same kind, tokens and fee; `undefined` if the venue has no such pool. */
function copyAddress(venue: Venue, pool: PoolSpec): Address | undefined {
  if (pool.kind !== venue.kind) return undefined
  const from = venue.deployer ?? venue.factory
  const bytecodeHash = venue.initCodeHash ?? usualHashes[venue.kind]!
  const pair = [pool.token0.address, pool.token1.address] as const
  const keyed = (type: 'uint24' | 'int24', key: number) =>
    keccak256(
      encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type }], [...pair, key]),
    )
  if (pool.kind === 'uniswapV2') {
    const salt = keccak256(encodePacked(['address', 'address'], pair))
    return getCreate2Address({ from, salt, bytecodeHash })
  }
  if (pool.kind === 'uniswapV3')
    return getCreate2Address({ from, salt: keyed('uint24', pool.feePips), bytecodeHash })
  return pool.kind === 'slipstream'
    ? getCreate2Address({ from, salt: keyed('int24', pool.tickSpacing), bytecodeHash })
    : undefined
}
