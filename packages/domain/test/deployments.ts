import { Deployments, Registry } from '../src/index.js'

export const tokens = {
  weth: '0x4200000000000000000000000000000000000006',
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  slu: '0x5100000000000000000000000000000000000000',
  dai: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
} as const

export const router = '0x00000000000000000000000000000000000000F1'
export const quoter = '0x00000000000000000000000000000000000000f2'

const contracts = {
  core: '0x0000000000000000000000000000000000000000',
  finder: '0x00000000000000000000000000000000000000f8',
  hub: '0x00000000000000000000000000000000000000f3',
  optimizer: '0x00000000000000000000000000000000000000f4',
  pricer: '0x00000000000000000000000000000000000000F6',
  sampler: '0x00000000000000000000000000000000000000F7',
  solver: '0x00000000000000000000000000000000000000f5',
  router: router.toLowerCase(),
  quoter,
  staking: '0x0000000000000000000000000000000000000000',
}

function chain(name: string, blockTimeMs: number, slu: string | null, changes = {}) {
  return {
    name,
    wrappedNative: tokens.weth,
    usdc: tokens.usdc,
    slu,
    blockTimeMs,
    versions: { '1.0.0': { ...contracts, ...changes } },
  }
}

/** Base with SLU, Arbitrum without it, and an unlisted chain without a Router. */
export const deployments = Deployments.parse({
  schema: 1,
  chains: {
    '8453': chain('Base', 2_000, tokens.slu),
    '42161': chain('Arbitrum', 250, null),
    '31337': chain('Bench', 2_000, null, { router: `0x${'0'.repeat(40)}` }),
  },
})

export const registry = Registry.from(deployments, [8_453, 42_161, 31_337])
