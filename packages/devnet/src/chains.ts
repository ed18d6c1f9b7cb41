import { type Address, getAddress, type Hex, keccak256, toBytes } from 'viem'
import { sluAddress } from './placements.js'

/** Definition of a devnet chain: real addresses, realistic prices, invented long-tail tokens. */
export type ChainSpec = {
  chainId: number
  name: string
  /** Block time of the real chain. */
  blockTimeMs: number
  /** Pool depth relative to Ethereum. */
  depth: number
  wrappedNative: Address
  usdc: Address
  /** The protocol's own token; it exists on Base only. */
  slu: Address | null
  v2Factory: Placement
  v3Factory: Placement
  uniswapV4: Create2Placement & { owner: Address }
  pancakeV3?: { factory: Address; deployer: Address }
  /** Every pool is a clone of the implementation. */
  slipstream?: { id: string; factory: Address; implementation: Address }
  solidly?: { id: string; factory: Address; implementation: Address }
  /** Algebra Integral. Its real pool deployer was not found, so both have addresses that only the devnet uses. */
  algebra?: { factory: Address; deployer: Address }
  /** Whether the chain has listed pools: Balancer V2, and StableSwap with Curve's interface. */
  hasListed: boolean
  /**
   * Whether the chain has pools of Balancer V2 and V3, and of Uniswap V4 with hooks, that only pool hints find; it has
   * listed pools, too.
   */
  hasHinted: boolean
  /** Whether the chain has a vault, a PSM and a converter between DAI and USDS. */
  hasConverters: boolean
  /** Whether the chain has a registry of StableSwap pools, which an adapter asks. */
  hasRegistry: boolean
  /** Venues of which the chain has an imitation with some pools, by their adapters. */
  imitations: readonly ImitatedVenue[]
  /** Symbols of the tokens that take the roles used in the market definition. Pools of tokens that `tokens` lacks are left out. */
  roles: { stable: string; btc: string; governance: string }
  connectors: readonly string[]
  tokens: readonly TokenSpec[]
}

/** Adapters of venues whose code no package has. Contracts with their interface are in contracts/src/devnet. */
export type ImitatedVenue = 'liquidityBook' | 'camelotV2' | 'infinityCl' | 'fluidLite'

/** How a contract gets to its real address. */
export type Placement =
  /** Created by the same account as on the real chain, with the same nonce. */
  | { address: Address; deployer: Address; nonce: number }
  /** Its creator is unknown or creates another contract, so its constructor runs at the address itself. */
  | { address: Address; deployer?: undefined }

/** Created by CREATE2. Defaults: the deterministic deployer, and salt zero. */
export type Create2Placement = { address: Address; sender?: Address; salt?: Hex }

/** A token of a development chain. */
export type TokenSpec = {
  symbol: string
  address: Address
  decimals: number
  /** Price in US dollars around which the pools are created. */
  usd: number
  behaviour?: BehaviourName
  /** Set if an annex puts the token's own contract at its address, and gives the seeder what pools need. */
  isOwn?: true
}

/** Names of the enum `Behaviour` in DevToken.sol, in the same order. */
export const behaviours = [
  'plain',
  'noReturn',
  'taxed',
  'paused',
  'burnsGas',
  'hugeReturn',
] as const
export type BehaviourName = (typeof behaviours)[number]

const uniswapV2Deployer: Address = '0x9C33eaCc2F50E39940D3AfaF2c7B8246B681A374'
const robinhoodDeployer: Address = '0x9701fb0aDe1E269c8f64Ec0C7b3cfADB31A13A52'
const uniswapV3Factory: Placement = {
  address: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
  deployer: '0x6C9FC64A53c1b71FB3f9Af64d1ae3A4931A5f4E9',
  nonce: 0,
}

const pancakeV3 = {
  factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
  deployer: '0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9',
} as const

/** Tokens that exist only on the devnet, at the same address on each of its chains. */
const invented: readonly TokenSpec[] = [
  // Each has pools with one connector only, so routes between these tokens take two or three hops.
  invent('MOSS', 18, 1.35),
  invent('FERN', 18, 0.042),
  invent('KELP', 8, 7.8),
  invent('TIDE', 6, 0.91),
  // Has pools with MOSS only, which is not a connector: only a hint or an index finds the route.
  invent('BRINE', 18, 0.00031),
  // Tokens that cause errors in aggregators.
  invent('LEVY', 18, 0.27, 'taxed'),
  invent('HALT', 18, 3.1, 'paused'),
  invent('MIRAGE', 18, 12.5),
  invent('PYRE', 18, 0.6, 'burnsGas'),
  invent('BLOAT', 18, 0.6, 'hugeReturn'),
]

const slu = token('SLU', sluAddress, 18, 0.15)
const ether = 2_700
const bitcoin = 92_000

/** The development chains. */
export const chainSpecs: readonly ChainSpec[] = [
  {
    chainId: 8453,
    name: 'Base',
    blockTimeMs: 2_000,
    depth: 0.6,
    wrappedNative: '0x4200000000000000000000000000000000000006',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    slu: sluAddress,
    v2Factory: {
      address: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
      deployer: uniswapV2Deployer,
      nonce: 6,
    },
    v3Factory: { address: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD' },
    uniswapV4: {
      address: '0x498581fF718922c3f8e6A244956aF099B2652b2b',
      owner: '0x31FAfd4889FA1269F7a13A66eE0fB458f27D72A9',
    },
    pancakeV3,
    slipstream: {
      id: 'aerodrome-slipstream',
      factory: '0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A',
      implementation: '0xeC8E5342B19977B4eF8892e02D8DAEcfa1315831',
    },
    solidly: {
      id: 'aerodrome-v2',
      factory: '0x420DD381b31aEf6683db6B902084cB0FFECe40Da',
      implementation: '0xA4e46b4f701c62e14DF11B48dCe76A7d793CD6d7',
    },
    hasListed: false,
    hasConverters: false,
    hasHinted: false,
    hasRegistry: false,
    imitations: ['infinityCl'],
    roles: { stable: 'USDbC', btc: 'cbBTC', governance: 'AERO' },
    connectors: ['WETH', 'USDC', 'USDbC', 'DAI', 'cbBTC'],
    tokens: [
      token('WETH', '0x4200000000000000000000000000000000000006', 18, ether),
      token('USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6, 1),
      token('USDbC', '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA', 6, 0.9998),
      token('DAI', '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb', 18, 1.0003),
      token('cbBTC', '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', 8, bitcoin),
      token('AERO', '0x940181a94A35A4569E4529A3CDfB74e38FD98631', 18, 0.92),
      token('cbETH', '0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22', 18, ether * 1.11),
      token('wstETH', '0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452', 18, ether * 1.22),
      slu,
      ...invented,
    ],
  },
  {
    chainId: 1,
    name: 'Ethereum',
    blockTimeMs: 12_000,
    depth: 1,
    wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    slu: null,
    v2Factory: {
      address: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
      deployer: uniswapV2Deployer,
      nonce: 0,
    },
    v3Factory: uniswapV3Factory,
    uniswapV4: {
      address: '0x000000000004444c5dc75cB358380D2e3dE08A90',
      owner: '0x1a9C8182C09F50C8318d769245beA52c32BE35BC',
      sender: '0x48E516B34A1274f49457b9C6182097796D0498Cb',
      salt: '0x72bed203c9a5eff37e1f55be91f742def6e0e5c7bd40398de517b6047b87ee78',
    },
    pancakeV3,
    hasListed: true,
    hasConverters: false,
    hasHinted: true,
    hasRegistry: false,
    imitations: ['fluidLite'],
    roles: { stable: 'USDT', btc: 'WBTC', governance: 'UNI' },
    connectors: ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC'],
    tokens: [
      token('WETH', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 18, ether),
      token('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6, 1),
      token('USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 6, 0.9996, 'noReturn'),
      token('DAI', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 18, 1.0003),
      token('WBTC', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8, bitcoin),
      token('cbBTC', '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', 8, bitcoin),
      token('wstETH', '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0', 18, ether * 1.22),
      token('USDe', '0x4c9EDD5852cd905f086C759E8383e09bff1E68B3', 18, 0.9991),
      token('UNI', '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984', 18, 6.2),
      token('LINK', '0x514910771AF9Ca656af840dff83E8264EcF986CA', 18, 13.4),
      ...invented,
    ],
  },
  {
    chainId: 10,
    name: 'Optimism',
    blockTimeMs: 2_000,
    depth: 0.25,
    wrappedNative: '0x4200000000000000000000000000000000000006',
    usdc: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    slu: null,
    v2Factory: {
      address: '0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf',
      deployer: uniswapV2Deployer,
      nonce: 9,
    },
    v3Factory: uniswapV3Factory,
    uniswapV4: {
      address: '0x9a13F98Cb987694C9F086b1F5eB990EeA8264Ec3',
      owner: '0xa1dD330d602c32622AA270Ea73d078B803Cb3518',
    },
    slipstream: {
      id: 'velodrome-slipstream',
      factory: '0xCc0bDDB707055e04e497aB22a59c2aF4391cd12F',
      implementation: '0xc28aD28853A547556780BEBF7847628501A3bCbb',
    },
    solidly: {
      id: 'velodrome-v2',
      factory: '0xF1046053aa5682b4F9a81b5481394DA16BE5FF5a',
      implementation: '0x95885Af5492195F0754bE71AD1545Fe81364E531',
    },
    hasListed: false,
    hasConverters: false,
    hasHinted: false,
    hasRegistry: true,
    imitations: [],
    roles: { stable: 'USDT', btc: 'WBTC', governance: 'OP' },
    connectors: ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC'],
    tokens: [
      token('WETH', '0x4200000000000000000000000000000000000006', 18, ether),
      token('USDC', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 6, 1),
      token('USDC.e', '0x7F5c764cBc14f9669B88837ca1490cCa17c31607', 6, 0.9997),
      token('USDT', '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', 6, 0.9996, 'noReturn'),
      token('DAI', '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 18, 1.0003),
      token('WBTC', '0x68f180fcCe6836688e9084f035309E29Bf0A2095', 8, bitcoin),
      token('OP', '0x4200000000000000000000000000000000000042', 18, 0.41),
      token('wstETH', '0x1F32b1c2345538c0c6f582fCB022739c4A194Ebb', 18, ether * 1.22),
      ...invented,
    ],
  },
  {
    chainId: 42161,
    name: 'Arbitrum',
    blockTimeMs: 250,
    depth: 0.5,
    wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    usdc: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    slu: null,
    v2Factory: {
      address: '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
      deployer: uniswapV2Deployer,
      nonce: 5,
    },
    v3Factory: uniswapV3Factory,
    uniswapV4: {
      address: '0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32',
      owner: '0x2BAD8182C09F50c8318d769245beA52C32Be46CD',
    },
    pancakeV3,
    algebra: {
      factory: invent('Algebra factory', 0, 0).address,
      deployer: invent('Algebra pool deployer', 0, 0).address,
    },
    hasListed: false,
    hasConverters: true,
    hasHinted: false,
    hasRegistry: true,
    imitations: ['liquidityBook', 'camelotV2'],
    roles: { stable: 'USDT', btc: 'WBTC', governance: 'ARB' },
    connectors: ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC'],
    tokens: [
      token('WETH', '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', 18, ether),
      token('USDC', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 6, 1),
      token('USDC.e', '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8', 6, 0.9997),
      token('USDT', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 6, 0.9996, 'noReturn'),
      token('DAI', '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 18, 1.0003),
      token('WBTC', '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f', 8, bitcoin),
      token('ARB', '0x912CE59144191C1204E64559FE8253a0e49E6548', 18, 0.24),
      token('wstETH', '0x5979D7b546E38E414F7E9822514be443A4800529', 18, ether * 1.22),
      ...invented,
    ],
  },
  {
    chainId: 4663,
    name: 'Robinhood Chain',
    blockTimeMs: 100,
    depth: 0.2,
    wrappedNative: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
    usdc: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168',
    slu: null,
    v2Factory: {
      address: '0x8bcEaA40B9AcdfAedF85AdF4FF01F5Ad6517937f',
      deployer: robinhoodDeployer,
      nonce: 0,
    },
    // The same account created it, at another nonce than the one that is set for the factory above.
    v3Factory: { address: '0x1f7d7550B1b028f7571E69A784071F0205FD2EfA' },
    uniswapV4: {
      address: '0x8366a39CC670B4001A1121B8F6A443A643e40951',
      owner: robinhoodDeployer,
    },
    pancakeV3,
    hasListed: false,
    hasConverters: false,
    hasHinted: false,
    hasRegistry: false,
    imitations: [],
    // The chain's config has neither bitcoin nor a governance token.
    roles: { stable: 'USDe', btc: 'WBTC', governance: 'UNI' },
    connectors: ['WETH', 'USDG', 'USDe'],
    tokens: [
      token('WETH', '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73', 18, ether),
      token('USDG', '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', 6, 1),
      token('USDe', '0x5d3a1Ff2b6BAb83b63cd9AD0787074081a52ef34', 18, 0.9991),
      ...invented,
    ],
  },
]

/** Chains that start if no others are named. */
export const usualChainIds: readonly number[] = [8453, 1, 10, 42161]

/** A chain with the protocol's token at the same address as on Base, and so with 2.0.0 and pools of that token. */
export function withSlu(spec: ChainSpec): ChainSpec {
  return spec.slu === null ? { ...spec, slu: sluAddress, tokens: [...spec.tokens, slu] } : spec
}

/** Tokens that the devnet replaces by `DevToken`: all except the wrapped native token and SLU. */
export function standIns({ tokens, wrappedNative, slu }: ChainSpec): readonly TokenSpec[] {
  return tokens.filter(
    ({ address, isOwn }) => address !== wrappedNative && address !== slu && !isOwn,
  )
}

function token(
  symbol: string,
  address: Address,
  decimals: number,
  usd: number,
  behaviour: BehaviourName = 'plain',
): TokenSpec {
  return { symbol, address, decimals, usd, behaviour }
}

function invent(
  symbol: string,
  decimals: number,
  usd: number,
  behaviour?: BehaviourName,
): TokenSpec {
  const digest: Hex = keccak256(toBytes(`sluice devnet token ${symbol}`))
  return token(symbol, getAddress(`0x${digest.slice(-40)}`), decimals, usd, behaviour)
}
