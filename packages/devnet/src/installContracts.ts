import { type Call, creationCall, deterministicDeployer, type Rpc } from '@sluice/deploy'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { balancerCalls } from './balancer.js'
import { balancerV3Vault, installBalancerV3 } from './balancerV3.js'
import { type ChainSpec, type Placement, standIns } from './chains.js'
import { DevnetError } from './errors.js'
import { foreignCreations, prepareForeign, uniswapV4Creation } from './foreignVenues.js'
import { devTokenDeployedBytecode } from './generated/devToken.js'
import { seederBytecode } from './generated/seeder.js'
import { installHooked, positionManager } from './hookedPool.js'
import { tickSpacings } from './market.js'
import {
  initCodeHashes,
  multicall3,
  multicall3Deployer,
  permit2,
  seeder,
  sluCreation,
} from './placements.js'
import * as Published from './published.js'
import { sendInOneBlock, type Transaction } from './transactions.js'

const richBalance = numberToHex(10n ** 27n)

/** Wrapped native token for the pools, in wei. */
const poolWrappedNative = 50_000_000n * 10n ** 18n
const deposit = toFunctionSelector('deposit()')

const factoryAbi = parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)'])

/** Puts third-party contracts, the tokens' code and the seeder at their addresses. */
export async function installContracts(rpc: Rpc, chain: ChainSpec, account: Address) {
  checkInitCodeHashes()
  const { v2Factory, v3Factory, wrappedNative } = chain
  const v2Owner = ownerOf(v2Factory, account)
  const v3Owner = ownerOf(v3Factory, account)
  const v2Code =
    `${Published.uniswapV2Factory()}${encodeAbiParameters([{ type: 'address' }], [v2Owner]).slice(2)}` as const
  const creations: { place: Placement; code: Hex }[] = [
    { place: v2Factory, code: v2Code },
    { place: v3Factory, code: Published.uniswapV3Factory() },
    {
      place: { address: multicall3, deployer: multicall3Deployer, nonce: 0 },
      code: Published.multicall3(),
    },
    { place: { address: wrappedNative }, code: Published.weth9() },
    ...foreignCreations(chain),
  ]
  const uniswapV4 = uniswapV4Creation(chain)
  await rpc.batch([
    ...[account, seeder].map((holder): Call => ['hardhat_setBalance', [holder, richBalance]]),
    ['hardhat_setCode', [permit2, Published.permit2Runtime()]],
    ...standIns(chain).map(
      ({ address }): Call => ['hardhat_setCode', [address, devTokenDeployedBytecode]],
    ),
    ...creations.flatMap(prepare),
    ...(await prepareForeign(rpc, chain)),
  ])
  const inPlace = creations.filter(({ place }) => !place.deployer)
  const runtimes = await rpc.batch<Hex>(
    inPlace.map(({ place }) => ['eth_call', [{ from: account, to: place.address }, 'latest']]),
  )
  await sendInOneBlock(rpc, [
    ...creations.map(
      ({ place, code }): Transaction =>
        place.deployer
          ? { from: place.deployer, data: code }
          : { from: account, to: place.address },
    ),
    { from: account, to: deterministicDeployer, data: creationCall(seederBytecode) },
    { from: account, to: uniswapV4.sender, data: uniswapV4.data },
    ...(chain.slu
      ? [{ from: account, to: deterministicDeployer, data: creationCall(sluCreation) }]
      : []),
  ])
  await rpc.batch(
    inPlace.map(({ place }, index) => ['hardhat_setCode', [place.address, runtimes[index]]]),
  )
  await sendInOneBlock(rpc, [
    {
      from: v3Owner,
      to: v3Factory.address,
      data: encodeFunctionData({
        abi: factoryAbi,
        functionName: 'enableFeeAmount',
        args: [100, tickSpacings[100]!],
      }),
    },
    { from: seeder, to: wrappedNative, data: deposit, value: poolWrappedNative },
    ...(chain.hasListed ? balancerCalls() : []).map(
      (data): Transaction => ({ from: account, to: deterministicDeployer, data }),
    ),
  ])
  if (chain.hasHinted) {
    await installBalancerV3(rpc, account)
    await installHooked(rpc, chain, account)
  }
  await demandCode(rpc, [
    ...creations.map(({ place }) => place.address),
    permit2,
    seeder,
    chain.uniswapV4.address,
    ...(chain.slu ? [chain.slu] : []),
    ...(chain.hasHinted ? [balancerV3Vault, positionManager] : []),
  ])
}

/** Throws if an address has no code; later steps would fail with a less clear message. */
export async function demandCode(rpc: Rpc, addresses: readonly Address[]) {
  const codes = await rpc.batch<Hex>(
    addresses.map((address) => ['eth_getCode', [address, 'latest']]),
  )
  const missing = addresses.filter((_, index) => codes[index] === '0x')
  if (missing.length > 0)
    throw new DevnetError('SEEDING_FAILED', `No code at ${missing.join(', ')} after seeding.`)
}

function ownerOf(place: Placement, account: Address): Address {
  return place.deployer ?? account
}

/**
 * Sets the nonce of a known creator to the one it had on the real chain. If the creator is unknown, puts the creation
 * code itself at the address: a call then runs the constructor there, with its storage writes, and returns the runtime
 * code.
 */
function prepare({ place, code }: { place: Placement; code: Hex }): Call[] {
  if (!place.deployer) return [['hardhat_setCode', [place.address, code]]]
  return [
    ['hardhat_setBalance', [place.deployer, richBalance]],
    ['hardhat_setNonce', [place.deployer, numberToHex(place.nonce)]],
  ]
}

function checkInitCodeHashes() {
  const computed = {
    uniswapV2: keccak256(Published.uniswapV2Pair()),
    uniswapV3: keccak256(Published.uniswapV3Pool()),
    pancakeV3: keccak256(Published.pancakeV3Pool()),
    algebra: keccak256(Published.algebraPool()),
  }
  for (const kind of ['uniswapV2', 'uniswapV3', 'pancakeV3', 'algebra'] as const)
    if (computed[kind] !== initCodeHashes[kind])
      throw new DevnetError('SEEDING_FAILED', `The ${kind} package's pool is not mainnet's.`)
}
