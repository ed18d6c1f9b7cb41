import { creationAddress, creationCall } from '@sluice/deploy'
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
import type { ListedSpec } from './market.js'
import * as Published from './published.js'

/**
 * Balancer V2. The Vault is at its real address. The fee provider and the pool factories are at addresses of the
 * deterministic deployer, because their real addresses depend on accounts and nonces that are not known.
 */
export const balancerVault: Address = '0xBA12222222228d8Ba445958a75a0704d566BF2C8'

/** The Vault's authorizer; nobody has its key. */
const authorizer = getAddress(
  keccak256(toBytes('sluice devnet balancer authorizer')).slice(0, 42) as Hex,
)
/** Maximum share of yield and of flash-loan premiums that the protocol may take, in 1e-18. */
const maxFee = 5n * 10n ** 17n

export const vaultAbi = parseAbi([
  'function joinPool(bytes32 poolId, address sender, address recipient, (address[] assets, uint256[] maxAmountsIn, bytes userData, bool fromInternalBalance) request)',
])
export const balancerPoolAbi = parseAbi(['function getPoolId() view returns (bytes32)'])
const factoriesAbi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256[] weights, address[] rateProviders, uint256 fee, address owner)',
  'function create(string name, string symbol, address[] tokens, uint256 amplification, address[] rateProviders, uint256[] rateCacheDurations, bool[] exemptFromYieldFee, uint256 fee, address owner)',
])

/** Creation code of the Vault with its constructor's arguments; nobody can pause it. */
export function vaultCreation(wrappedNative: Address): Hex {
  const parameters = parseAbiParameters('address, address, uint256, uint256')
  return concatHex([
    Published.balancerVault(),
    encodeAbiParameters(parameters, [authorizer, wrappedNative, 0n, 0n]),
  ])
}

/** Calls to the deterministic deployer, in order, that create everything except the Vault. */
export function balancerCalls(): Hex[] {
  return [feesCreation(), weightedFactoryCreation(), stableFactoryCreation()].map(creationCall)
}

/** Address of the kind's factory. */
export function balancerFactory(kind: 'balancerWeighted' | 'balancerStable'): Address {
  return creationAddress(
    kind === 'balancerWeighted' ? weightedFactoryCreation() : stableFactoryCreation(),
  )
}

/** The call to its factory that creates a pool. */
export function createPoolCall(
  { kind, tokens, weights, amplification, feePips }: ListedSpec,
  owner: Address,
): Hex {
  const addresses = tokens.map(({ address }) => address)
  const none = tokens.map(() => zeroAddress)
  const fee = BigInt(feePips) * 10n ** 12n
  const name = tokens.map(({ symbol }) => symbol).join('-')
  if (kind === 'balancerWeighted')
    return encodeFunctionData({
      abi: factoriesAbi,
      functionName: 'create',
      args: [name, name, addresses, weights, none, fee, owner],
    })
  return encodeFunctionData({
    abi: factoriesAbi,
    functionName: 'create',
    args: [
      ...([name, name, addresses, BigInt(amplification), none] as const),
      ...([none.map(() => 0n), none.map(() => false), fee, owner] as const),
    ],
  })
}

/** The call to the Vault that gives a new pool its first tokens. */
export function joinCall(
  { kind, tokens, amounts }: ListedSpec,
  { pool, poolId, owner }: { pool: Address; poolId: Hex; owner: Address },
): Hex {
  const own = tokens.map(({ address }, index) => ({ address, amount: amounts[index]! }))
  // The Vault sorts a stable pool's own token among the others, by address.
  const kept = kind === 'balancerStable' ? [...own, { address: pool, amount: 0n }] : own
  const assets = [...kept].sort((a, b) =>
    a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1,
  )
  const init = 0n
  const userData = encodeAbiParameters(parseAbiParameters('uint256, uint256[]'), [
    init,
    assets.map(({ amount }) => amount),
  ])
  return encodeFunctionData({
    abi: vaultAbi,
    functionName: 'joinPool',
    args: [
      poolId,
      owner,
      owner,
      {
        assets: assets.map(({ address }) => address),
        maxAmountsIn: assets.map(() => 2n ** 256n - 1n),
        userData,
        fromInternalBalance: false,
      },
    ],
  })
}

function feesCreation(): Hex {
  const parameters = parseAbiParameters('address, uint256, uint256')
  return concatHex([
    Published.balancerFees(),
    encodeAbiParameters(parameters, [balancerVault, maxFee, maxFee]),
  ])
}

function weightedFactoryCreation(): Hex {
  return concatHex([Published.balancerWeightedFactory(), factoryArguments()])
}

function stableFactoryCreation(): Hex {
  return concatHex([Published.balancerStableFactory(), factoryArguments()])
}

function factoryArguments(): Hex {
  const parameters = parseAbiParameters('address, address, string, string')
  return encodeAbiParameters(parameters, [balancerVault, creationAddress(feesCreation()), '', ''])
}
