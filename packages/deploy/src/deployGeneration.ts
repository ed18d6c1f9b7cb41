import { hubAbi } from '@sluice/abi'
import type { Deployments } from '@sluice/domain'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { createSender, type Sender } from './createSender.js'
import { DeployError } from './errors.js'
import {
  creationCall,
  defaultVersion,
  deterministicDeployer,
  type GenerationContract,
  generation,
  secondGeneration,
  type Version,
} from './generation.js'
import { hubConfigOf } from './hubConfig.js'
import type { ChainConfig } from './parseChainConfig.js'
import type { Rpc } from './rpc.js'
import { demandSameWiring, readWiring } from './wiring.js'

export type Deployment = {
  /** Of this chain alone; `mergeDeployments` joins several. */
  readonly deployments: Deployments.Deployments
  /** Hashes of what had to be sent; empty when all was right already. */
  readonly transactions: readonly Hex[]
}

export type DeployOptions = {
  config: ChainConfig
  /** Private key of the owner. Unset: the node's first unlocked account. */
  key?: Hex | undefined
  /** @default "1.0.0" */
  version?: Version | undefined
  /** Told what is sent and what is waited for, in a line each. */
  onProgress?: ((text: string) => void) | undefined
}

/**
 * Creates what is missing of a generation and wires the Hub. Run again it changes nothing that is right, and reports
 * what differs. What generations share is created once.
 */
export async function deployGeneration(
  rpc: Rpc,
  { config, key, onProgress, version = defaultVersion }: DeployOptions,
): Promise<Deployment> {
  await demandChain(rpc, config.chainId)
  const sender = await createSender(rpc, { chainId: config.chainId, key, onProgress })
  const contracts = await contractsOf(rpc, { config, owner: sender.address, version })
  const created = await createMissing(rpc, sender, contracts)
  const wired = await wire(rpc, sender, { hub: addressOf(contracts, 'hub'), config })
  const deployments = deploymentsOf(config, version, contracts)
  return { deployments, transactions: [...created, ...wired] }
}

/** @throws DeployError `NO_SLU` where 2.0.0 has no token to be staked. */
async function contractsOf(
  rpc: Rpc,
  { config, owner, version }: { config: ChainConfig; owner: Address; version: Version },
): Promise<readonly GenerationContract[]> {
  if (version === '1.0.0') return generation(owner)
  const { name, slu } = config
  const code = slu === null ? '0x' : await rpc.request<Hex>('eth_getCode', [slu, 'latest'])
  if (slu === null || code === '0x')
    throw new DeployError(
      'NO_SLU',
      `${version} needs the protocol's token, and ${name} has none: give the config an "slu" that is deployed there.`,
    )
  return secondGeneration(owner, slu)
}

async function demandChain(rpc: Rpc, chainId: number) {
  const [actual, deployer] = await rpc.batch<Hex>([
    ['eth_chainId', []],
    ['eth_getCode', [deterministicDeployer, 'latest']],
  ])
  if (Number(actual) !== chainId)
    throw new DeployError(
      'WRONG_CHAIN',
      `The config is for chain ${chainId}, but the node is on chain ${Number(actual)}.`,
    )
  if (deployer === '0x')
    throw new DeployError(
      'NO_DETERMINISTIC_DEPLOYER',
      `Chain ${chainId} lacks the deterministic deployer at ${deterministicDeployer}. Send its published creation transaction first.`,
    )
}

async function createMissing(
  rpc: Rpc,
  sender: Sender,
  contracts: readonly GenerationContract[],
): Promise<Hex[]> {
  const missing = await codeless(rpc, contracts)
  const transactions = await sender.send(
    missing.map(({ name, initCode }) => ({
      what: `the creation of the ${name}`,
      to: deterministicDeployer,
      data: creationCall(initCode),
    })),
  )
  const failed = missing.length > 0 ? await codeless(rpc, contracts) : []
  if (failed[0])
    throw new DeployError(
      'TRANSACTION_FAILED',
      `The creation of the ${failed[0].name} was mined, but ${failed[0].address} has no code.`,
    )
  return transactions
}

async function codeless(rpc: Rpc, contracts: readonly GenerationContract[]) {
  const codes = await rpc.batch<Hex>(
    contracts.map(({ address }) => ['eth_getCode', [address, 'latest']]),
  )
  return contracts.filter((_, index) => codes[index] === '0x')
}

async function wire(
  rpc: Rpc,
  sender: Sender,
  { hub, config }: { hub: Address; config: ChainConfig },
): Promise<Hex[]> {
  const wanted = hubConfigOf(config, config.feeRecipient ?? sender.address)
  const current = await readWiring(rpc, hub)
  if (current) {
    demandSameWiring(hub, current, wanted)
    return []
  }
  return sender.send([
    {
      what: 'the wiring of the Hub',
      to: hub,
      data: encodeFunctionData({ abi: hubAbi, functionName: 'initialize', args: [wanted] }),
    },
  ])
}

function deploymentsOf(
  config: ChainConfig,
  version: Version,
  contracts: readonly GenerationContract[],
): Deployments.Deployments {
  const { chainId, name, wrappedNative, usdc, slu, blockTimeMs } = config
  const versions = {
    [version]: {
      core: findAddress(contracts, 'core') ?? zeroAddress,
      hub: addressOf(contracts, 'hub'),
      optimizer: addressOf(contracts, 'optimizer'),
      pricer: addressOf(contracts, 'pricer'),
      sampler: addressOf(contracts, 'sampler'),
      solver: addressOf(contracts, 'solver'),
      router: addressOf(contracts, 'router'),
      quoter: addressOf(contracts, 'quoter'),
      staking: findAddress(contracts, 'staking') ?? zeroAddress,
    },
  }
  return {
    schema: 1,
    chains: { [chainId]: { name, wrappedNative, usdc, slu, blockTimeMs, versions } },
  }
}

function addressOf(
  contracts: readonly GenerationContract[],
  name: GenerationContract['name'],
): Address {
  return findAddress(contracts, name)!
}

function findAddress(
  contracts: readonly GenerationContract[],
  name: GenerationContract['name'],
): Address | undefined {
  return contracts.find((contract) => contract.name === name)?.address
}
