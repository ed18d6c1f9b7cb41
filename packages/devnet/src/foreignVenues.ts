import { type Call, deterministicDeployer, type Rpc } from '@sluice/deploy'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  pad,
  toBytes,
} from 'viem'
import { balancerVault, vaultCreation } from './balancer.js'
import type { ChainSpec } from './chains.js'
import { gaugelessVoterDeployedBytecode } from './generated/gaugelessVoter.js'
import { pancakeDeployerBytecode } from './generated/pancakeDeployer.js'
import * as Published from './published.js'

/** A voter without gauges, for Slipstream's factory and pools. Only the devnet uses this address. */
const voter = getAddress(keccak256(toBytes('sluice devnet voter')).slice(0, 42) as Hex)

/** Contracts of venues other than Uniswap whose constructors run at their final address. */
export function foreignCreations({
  pancakeV3,
  slipstream,
  algebra,
  solidly,
  hasListed,
  wrappedNative,
}: ChainSpec): { place: { address: Address }; code: Hex }[] {
  const creation = (address: Address, code: Hex, ...constructorArguments: Address[]) => ({
    place: { address },
    code: concatHex([code, ...constructorArguments.map((argument) => pad(argument))]),
  })
  return [
    ...(pancakeV3
      ? [
          creation(pancakeV3.factory, Published.pancakeV3Factory(), pancakeV3.deployer),
          creation(
            pancakeV3.deployer,
            concatHex([
              pancakeDeployerBytecode,
              encodeAbiParameters([{ type: 'bytes' }], [Published.pancakeV3Pool()]),
            ]),
          ),
        ]
      : []),
    ...(slipstream
      ? [
          creation(slipstream.implementation, Published.slipstreamPool()),
          creation(
            slipstream.factory,
            Published.slipstreamFactory(),
            ...[voter, voter, slipstream.implementation],
          ),
        ]
      : []),
    ...(solidly
      ? [
          creation(solidly.implementation, Published.solidlyPool()),
          creation(solidly.factory, Published.solidlyFactory(), solidly.implementation),
        ]
      : []),
    ...(hasListed ? [creation(balancerVault, vaultCreation(wrappedNative))] : []),
    ...(algebra
      ? [
          creation(algebra.factory, Published.algebraFactory(), algebra.deployer),
          creation(algebra.deployer, Published.algebraPoolDeployer(), algebra.factory),
        ]
      : []),
  ]
}

/** Installs what the constructors need. */
export async function prepareForeign(
  rpc: Rpc,
  { slipstream, uniswapV4 }: ChainSpec,
): Promise<Call[]> {
  const calls: Call[] = []
  if (slipstream) calls.push(['hardhat_setCode', [voter, gaugelessVoterDeployedBytecode]])
  if (uniswapV4.sender) {
    // On the real chain another contract is the creator. Here the deterministic deployer's code runs at its address.
    const [code] = await rpc.batch<Hex>([['eth_getCode', [deterministicDeployer, 'latest']]])
    calls.push(['hardhat_setCode', [uniswapV4.sender, code]])
  }
  return calls
}

/** The call that creates the PoolManager at its real address. */
export function uniswapV4Creation({ uniswapV4 }: ChainSpec): { sender: Address; data: Hex } {
  const { sender = deterministicDeployer, salt = pad('0x0'), owner } = uniswapV4
  return { sender, data: concatHex([salt, Published.uniswapV4PoolManager(), pad(owner)]) }
}
