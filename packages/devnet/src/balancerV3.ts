import { creationAddress, creationCall, deterministicDeployer, type Rpc } from '@sluice/deploy'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  toBytes,
  zeroAddress,
} from 'viem'
import { balancerV3SeederAbi, balancerV3SeederBytecode } from './generated/balancerV3Seeder.js'
import * as Published from './published.js'
import { sendInOneBlock, type Transaction } from './transactions.js'

/**
 * Balancer V3. The Vault is at its real address. The contracts that it consists of are at addresses of the deterministic
 * deployer, and so are its pools.
 */
export const balancerV3Vault: Address = '0xbA1333333333a1BA1108E8412f11850A5C319bA9'

/** The Vault's authorizer; nobody has its key. */
const authorizer = getAddress(
  keccak256(toBytes('sluice devnet balancer v3 authorizer')).slice(0, 42) as Hex,
)
/** As on Ethereum: normalized amounts below the first are not swapped, and base units below the second not wrapped. */
const [leastTrade, leastWrap] = [10n ** 6n, 10n ** 3n]
/** The protocol's share of fees, in 1e-18. */
const protocolFee = 5n * 10n ** 17n

const vaultAbi = parseAbi([
  'struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }',
  'struct Roles { address pauseManager; address swapFeeManager; address poolCreator; }',
  'struct Liquidity { bool disableUnbalanced; bool customAdd; bool customRemove; bool donation; }',
  'function registerPool(address pool, TokenConfig[] tokens, uint256 fee, uint32 pauseWindowEnd, bool exempt, Roles roles, address hooks, Liquidity liquidity)',
])

/** A stable pool; its tokens are in order of their addresses. */
export type BalancerV3Spec = {
  readonly tokens: readonly Address[]
  readonly amounts: readonly bigint[]
  readonly amplification: bigint
  readonly feePips: number
}

/** The contract to which the first tokens of pools are sent. */
export const balancerV3Seeder: Address = creationAddress(seederCreation())

/** Puts the Vault at its real address. */
export async function installBalancerV3(rpc: Rpc, account: Address): Promise<void> {
  const parts = [adminCreation(), extensionCreation(), feesCreation(), seederCreation()]
  await sendInOneBlock(
    rpc,
    parts.map((code) => ({ from: account, to: deterministicDeployer, data: creationCall(code) })),
  )
  // The constructor runs at the address itself.
  await rpc.request('hardhat_setCode', [balancerV3Vault, vaultCreation()])
  const call = { from: account, to: balancerV3Vault }
  const runtime = await rpc.request<Hex>('eth_call', [call, 'latest'])
  await sendInOneBlock(rpc, [call])
  await rpc.request('hardhat_setCode', [balancerV3Vault, runtime])
}

/** Address of a pool. */
export function balancerV3Pool(pool: BalancerV3Spec): Address {
  return creationAddress(poolCreation(pool))
}

/** Creates a pool, whose tokens `balancerV3Seeder` holds. */
export function createBalancerV3Pool(spec: BalancerV3Spec, account: Address): Transaction[] {
  const { amounts, feePips, tokens } = spec
  const pool = balancerV3Pool(spec)
  const noRole = {
    pauseManager: zeroAddress,
    swapFeeManager: zeroAddress,
    poolCreator: zeroAddress,
  }
  const liquidity = {
    disableUnbalanced: false,
    customAdd: false,
    customRemove: false,
    donation: false,
  }
  const configs = tokens.map((token) => ({
    token,
    tokenType: 0,
    rateProvider: zeroAddress,
    paysYieldFees: false,
  }))
  const register = encodeFunctionData({
    abi: vaultAbi,
    functionName: 'registerPool',
    args: [pool, configs, BigInt(feePips) * 10n ** 12n, 0, false, noRole, zeroAddress, liquidity],
  })
  const seed = encodeFunctionData({
    abi: balancerV3SeederAbi,
    functionName: 'seed',
    args: [pool, tokens, amounts],
  })
  return [
    { from: account, to: deterministicDeployer, data: creationCall(poolCreation(spec)) },
    { from: account, to: balancerV3Vault, data: register },
    { from: account, to: balancerV3Seeder, data: seed },
  ]
}

function vaultCreation(): Hex {
  return concatHex([
    Published.balancerV3Vault(),
    encodeAbiParameters(parseAbiParameters('address, address, address'), [
      creationAddress(extensionCreation()),
      authorizer,
      creationAddress(feesCreation()),
    ]),
  ])
}

function adminCreation(): Hex {
  const parameters = parseAbiParameters('address, uint32, uint32, uint256, uint256')
  return concatHex([
    Published.balancerV3Admin(),
    encodeAbiParameters(parameters, [balancerV3Vault, 0, 0, leastTrade, leastWrap]),
  ])
}

function extensionCreation(): Hex {
  const parameters = parseAbiParameters('address, address')
  return concatHex([
    Published.balancerV3Extension(),
    encodeAbiParameters(parameters, [balancerV3Vault, creationAddress(adminCreation())]),
  ])
}

function feesCreation(): Hex {
  const parameters = parseAbiParameters('address, uint256, uint256')
  return concatHex([
    Published.balancerV3Fees(),
    encodeAbiParameters(parameters, [balancerV3Vault, protocolFee, protocolFee]),
  ])
}

function seederCreation(): Hex {
  return concatHex([
    balancerV3SeederBytecode,
    encodeAbiParameters([{ type: 'address' }], [balancerV3Vault]),
  ])
}

function poolCreation({ amplification }: BalancerV3Spec): Hex {
  const parameters = parseAbiParameters([
    'Pool pool, address vault',
    'struct Pool { string name; string symbol; uint256 amplification; string version; }',
  ])
  const pool = { name: 'Stable', symbol: 'STABLE', amplification, version: '' }
  return concatHex([
    Published.balancerV3StablePool(),
    encodeAbiParameters(parameters, [pool, balancerV3Vault]),
  ])
}
