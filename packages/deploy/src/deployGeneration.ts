import { hubAbi } from '@sluice/abi'
import { Adapters, type Deployments } from '@sluice/domain'
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
import { type HubConfig, hubConfigOf } from './hubConfig.js'
import type { ChainConfig } from './parseChainConfig.js'
import type { Rpc } from './rpc.js'
import { demandSameWiring, isBehind, readWiring } from './wiring.js'

/** Transactions and addresses of a deployment. */
export type Deployment = {
  /** Of this chain only; `mergeDeployments` combines several. */
  readonly deployments: Deployments.Deployments
  /** Hashes of the transactions that were sent; empty if everything was already deployed. */
  readonly transactions: readonly Hex[]
  /** Account that sends the transactions. It determines the contracts' addresses. */
  readonly deployer: Address
  /** Current owner of the Hub. */
  readonly owner: Address
}

/** What to deploy, and who pays and owns it. */
export type DeployOptions = {
  config: ChainConfig
  /** Private key of the deployer, who pays. If unset, an account of the node signs. */
  key?: Hex | undefined
  /** Account of the node that signs, if there is no key. @default the first one */
  from?: Address | undefined
  /**
   * Owner of the Hub. The deployer loses all power in the transaction that configures the Hub.
   *
   * @default the deployer
   */
  owner?: Address | undefined
  /** Account that may pause swaps, in addition to the owner. @default nobody */
  guardian?: Address | undefined
  /** @default "1.0.0" */
  version?: Version | undefined
  /** Called with one line of text for each step. */
  onProgress?: ((text: string) => void) | undefined
}

/**
 * Creates the missing contracts of a generation and configures the Hub. A second run changes nothing and reports
 * differences from the config. Contracts that generations share are created once.
 */
export async function deployGeneration(
  rpc: Rpc,
  { config, from, guardian, key, onProgress, owner, version = defaultVersion }: DeployOptions,
): Promise<Deployment> {
  await demandChain(rpc, config.chainId)
  const sender = await createSender(rpc, { chainId: config.chainId, from, key, onProgress })
  const contracts = await contractsOf(rpc, { config, deployer: sender.address, version })
  const created = await createMissing(rpc, sender, [...contracts, ...adaptersOf(config)])
  const hub = addressOf(contracts, 'hub')
  const routers = routersOf(config, sender.address)
  const wired = await wire(rpc, sender, { hub, config, owner, guardian, routers })
  const opened = await openRouter(rpc, sender, { hub, router: addressOf(contracts, 'router') })
  return {
    deployments: deploymentsOf(config, version, contracts),
    transactions: [...created, ...wired.transactions, ...opened],
    deployer: sender.address,
    owner: wired.owner,
  }
}

/** @throws DeployError `NO_SLU` if 2.0.0 has no token that can be staked. */
async function contractsOf(
  rpc: Rpc,
  { config, deployer, version }: { config: ChainConfig; deployer: Address; version: Version },
): Promise<readonly GenerationContract[]> {
  if (version === '1.0.0') return generation(deployer)
  const { name, slu } = config
  const code = slu === null ? '0x' : await rpc.request<Hex>('eth_getCode', [slu, 'latest'])
  if (slu === null || code === '0x')
    throw new DeployError(
      'NO_SLU',
      `${version} needs the protocol's token, but ${name} has none. Set "slu" in the config to a token that is deployed there.`,
    )
  return secondGeneration(deployer, slu)
}

/** The adapters of the config's venues that come from this repository. */
function adaptersOf({ venues, wrappedNative }: ChainConfig): readonly Creation[] {
  return venues.flatMap(({ adapter: name, deployer, factory: registry, id }) => {
    if (name === undefined) return []
    const initCode = Adapters.creationOf({ name, registry }, wrappedNative)
    return [{ name: `adapter for ${id}`, address: deployer, initCode }]
  })
}

/** The Routers of all generations that the chain can have, those that are yet to be created too. */
function routersOf({ slu }: ChainConfig, deployer: Address): readonly Address[] {
  const generations = [
    generation(deployer),
    ...(slu === null ? [] : [secondGeneration(deployer, slu)]),
  ]
  return generations.map((contracts) => addressOf(contracts, 'router'))
}

/** Has the Hub's settings written to a Router that was created after the Hub was wired. Anybody may ask for that. */
async function openRouter(
  rpc: Rpc,
  sender: Sender,
  { hub, router }: { hub: Address; router: Address },
): Promise<Hex[]> {
  if (!(await isBehind(rpc, hub, router))) return []
  const transactions = await sender.send([
    {
      what: "the Hub's settings for the Router",
      to: hub,
      data: encodeFunctionData({ abi: hubAbi, functionName: 'handOn' }),
    },
  ])
  if (await isBehind(rpc, hub, router))
    throw new DeployError(
      'TRANSACTION_FAILED',
      `The Router at ${router} did not get the settings of the Hub at ${hub}.`,
    )
  return transactions
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

/** A contract to create, with its name in messages. */
type Creation = Pick<GenerationContract, 'address' | 'initCode'> & { readonly name: string }

async function createMissing(
  rpc: Rpc,
  sender: Sender,
  contracts: readonly Creation[],
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

async function codeless(rpc: Rpc, contracts: readonly Creation[]) {
  const codes = await rpc.batch<Hex>(
    contracts.map(({ address }) => ['eth_getCode', [address, 'latest']]),
  )
  return contracts.filter((_, index) => codes[index] === '0x')
}

/** Configures the Hub and hands it to its owner in one transaction. A configured Hub is only compared with the config. */
async function wire(
  rpc: Rpc,
  sender: Sender,
  options: {
    hub: Address
    config: ChainConfig
    owner: Address | undefined
    guardian: Address | undefined
    routers: readonly Address[]
  },
): Promise<{ transactions: Hex[]; owner: Address }> {
  const { hub, config } = options
  const current = await readWiring(rpc, hub)
  const wanted = wantedOf(options, current, sender.address)
  if (current) {
    demandSameWiring(hub, current, wanted)
    return { transactions: [], owner: current.owner }
  }
  const transactions = await sender.send([
    {
      what: 'the configuration of the Hub',
      to: hub,
      data: encodeFunctionData({ abi: hubAbi, functionName: 'initialize', args: [wanted] }),
    },
  ])
  const wired = await readWiring(rpc, hub)
  if (!wired)
    throw new DeployError(
      'TRANSACTION_FAILED',
      `The configuration of the Hub was mined, but the Hub at ${hub} on ${config.name} is not configured.`,
    )
  demandSameWiring(hub, wired, wanted)
  return { transactions, owner: wired.owner }
}

/** Options that are unset default to the values of a configured Hub, and to the owner if it is not configured yet. */
function wantedOf(
  {
    config,
    guardian,
    owner,
    routers,
  }: {
    config: ChainConfig
    owner: Address | undefined
    guardian: Address | undefined
    routers: readonly Address[]
  },
  current: HubConfig | undefined,
  deployer: Address,
): HubConfig {
  const itsOwner = owner ?? current?.owner ?? deployer
  const roles = {
    owner: itsOwner,
    guardian: guardian ?? current?.guardian ?? zeroAddress,
    feeRecipient: config.feeRecipient ?? current?.feeRecipient ?? itsOwner,
  }
  return hubConfigOf(config, roles, routers)
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
      finder: addressOf(contracts, 'finder'),
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
