import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Hex } from 'viem'

/**
 * Bytecode of third-party contracts, read from their npm packages when it is needed. The repository contains no copy.
 */
const require = createRequire(import.meta.url)

/** Creation code of the wrapped native token. */
export const weth9 = (): Hex => readBuild('@uniswap/v2-periphery/build/WETH9.json')

/** Creation code; the constructor takes `feeToSetter`. */
export const uniswapV2Factory = (): Hex => readBuild('@uniswap/v2-core/build/UniswapV2Factory.json')

export const uniswapV2Pair = (): Hex => readBuild('@uniswap/v2-core/build/UniswapV2Pair.json')

export const uniswapV3Factory = (): Hex =>
  readBuild('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json')

export const uniswapV3Pool = (): Hex =>
  readBuild('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json')

/** Creation code; the constructor takes the owner. */
export const uniswapV4PoolManager = (): Hex =>
  readBuild('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json')

/** Creation code; the constructor takes the PoolManager, Permit2, gas for subscribers, the descriptor and the wrapped native token. */
export const uniswapV4PositionManager = (): Hex =>
  readBuild('@uniswap/v4-periphery/foundry-out/PositionManager.sol/PositionManager.json')

/** Creation code; the constructor takes the pool deployer, which the package lacks. */
export const pancakeV3Factory = (): Hex =>
  readBuild('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json')

export const pancakeV3Pool = (): Hex =>
  readBuild('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json')

/** Creation code; the constructor takes the pool deployer. */
export const algebraFactory = (): Hex =>
  readBuild(
    '@cryptoalgebra/integral-core/artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json',
  )

/** Creation code; the constructor takes the factory. */
export const algebraPoolDeployer = (): Hex =>
  readBuild(
    '@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json',
  )

export const algebraPool = (): Hex =>
  readBuild('@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPool.sol/AlgebraPool.json')

/** Compiled from the package's sources by `tools/build-venues.mjs` when the dependencies are installed. */
export const slipstreamPool = (): Hex => readCompiled('CLPool')

/** Creation code; the constructor takes the voter, an older factory and the pools' implementation. */
export const slipstreamFactory = (): Hex => readCompiled('CLFactory')

/** Creation code of the implementation that pools of Aerodrome and Velodrome V2 clone. */
export const solidlyPool = (): Hex => readCompiled('Pool')

/** Creation code; the constructor takes the authorizer, the wrapped native token and two pause durations. */
export const balancerVault = (): Hex => readBalancer('20210418-vault', 'Vault')

/** Creation code; the constructor takes the Vault and the maximum shares of yield and of premiums, in 1e-18. */
export const balancerFees = (): Hex =>
  readBalancer('20220725-protocol-fee-percentages-provider', 'ProtocolFeePercentagesProvider')

/** Creation code; the constructor takes the Vault, the fee provider and two version strings. */
export const balancerWeightedFactory = (): Hex =>
  readBalancer('20230206-weighted-pool-v3', 'WeightedPoolFactory')

/** Creation code; the constructor takes the same arguments as that of the weighted pools. */
export const balancerStableFactory = (): Hex =>
  readBalancer('20230206-composable-stable-pool-v3', 'ComposableStablePoolFactory')

/** Creation code; the constructor takes the extension, the authorizer and the contract that takes fees. */
export const balancerV3Vault = (): Hex => readCompiled('Vault')

/** Creation code; the constructor takes the Vault and the contract for the Vault's administration. */
export const balancerV3Extension = (): Hex => readCompiled('VaultExtension')

/** Creation code; the constructor takes the Vault, two pause durations, and the smallest trade and wrap. */
export const balancerV3Admin = (): Hex => readCompiled('VaultAdmin')

/** Creation code; the constructor takes the Vault and the shares of swap fees and of yield, in 1e-18. */
export const balancerV3Fees = (): Hex => readCompiled('ProtocolFeeController')

/** Creation code; the constructor takes the pool's parameters and the Vault. */
export const balancerV3StablePool = (): Hex => readCompiled('StablePool')

/** Creation code; the constructor takes the pools' implementation. */
export const solidlyFactory = (): Hex => readCompiled('PoolFactory')

/**
 * Runtime code of Permit2. Its cached domain separator is for another chain. It detects this and computes the
 * separator again, so it is correct on every chain.
 */
export function permit2Runtime(): Hex {
  const source = readFileSync(
    require.resolve('@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol'),
    'utf8',
  )
  return `0x${literalIn(source, /hex"([0-9a-f]+)"/, 'Permit2')}`
}

/** Creation code of Multicall3. viem contains it but does not export it, so this reads viem's file. */
export function multicall3(): Hex {
  const folder = join(dirname(require.resolve('viem/package.json')), '_esm/constants/contracts.js')
  const source = readFileSync(folder, 'utf8')
  return `0x${literalIn(source, /multicall3Bytecode = '0x([0-9a-f]+)'/, 'Multicall3')}`
}

function readBuild(path: string): Hex {
  return bytecodeIn(require.resolve(path))
}

function readBalancer(task: string, contract: string): Hex {
  return readBuild(`@balancer-labs/v2-deployments/dist/tasks/${task}/artifact/${contract}.json`)
}

function readCompiled(contract: string): Hex {
  const packages = join(dirname(require.resolve('viem/package.json')), '..')
  return bytecodeIn(join(packages, '.sluice/venues', `${contract}.json`))
}

/** Reads the bytecode of a build file: a string if Hardhat wrote it, an object if Foundry did. */
function bytecodeIn(path: string): Hex {
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as {
    bytecode: string | { object: string }
  }
  const code = typeof bytecode === 'string' ? bytecode : bytecode.object
  return `0x${code.replace(/^0x/, '')}`
}

function literalIn(source: string, pattern: RegExp, what: string): string {
  const literal = source.match(pattern)?.[1]
  if (!literal) throw new Error(`The package that ships ${what} has changed; no bytecode found.`)
  return literal
}
