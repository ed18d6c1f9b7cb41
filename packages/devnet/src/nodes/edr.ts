import { createRequire } from 'node:module'
import { createRpc, deterministicDeployer } from '@sluice/deploy'
import { type Hex, hexToBytes } from 'viem'
import { DevnetError } from '../errors.js'
import { type ChainNode, type NodeOptions, seedingGasLimit } from './ChainNode.js'
import { developmentAccounts } from './developmentAccounts.js'
import { type NodeAnswer, serveNode } from './serveNode.js'

/** The part of EDR's binding that is used here. The platform package contains no types. */
type Binding = {
  readonly L1_CHAIN_TYPE: string
  readonly SpecId: Readonly<Record<Hardfork, number>>
  readonly EdrContext: new () => Context
  readonly ContractDecoder: new () => object
  l1ProviderFactory(): object
  l1GenesisState(hardfork: number): readonly object[]
}

type Context = {
  registerProviderFactory(chainType: string, factory: object): Promise<void>
  createProvider(
    chainType: string,
    config: object,
    logger: object,
    subscriptions: object,
    decoder: object,
  ): Promise<Provider>
}

type Provider = { handleRequest(request: string): Promise<{ readonly data: unknown }> }

type Hardfork = 'Prague' | 'Osaka'

/** Code of the deterministic deployer; other development nodes also preinstall it. */
const deterministicDeployerCode: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

const accountBalance = 10_000n * 10n ** 18n

/** Gas limit of a transaction without `gas`: the maximum of a transaction since Osaka. */
const defaultGas = 2n ** 24n
const initialBaseFee = 1_000_000_000n
/** Time limit in ms for the setup block: hundreds of transactions, in a process that also does other work. */
const blockMs = 110_000

/**
 * Starts a chain on EDR, Hardhat's EVM, and serves it over HTTP on the loopback interface. Responses are passed through
 * unchanged, including EDR's own error messages.
 */
export async function startEdr(options: NodeOptions & { hardfork: Hardfork }): Promise<ChainNode> {
  const provider = await createProvider(options)
  const { close, rpcUrl } = await serveNode(options.port, (body) => answer(provider, body))
  const rpc = createRpc(rpcUrl, { timeoutMs: blockMs })
  return {
    rpcUrl,
    rpc,
    async mineEvery(ms) {
      await rpc.batch([
        ['evm_setAutomine', [false]],
        ['evm_setIntervalMining', [ms]],
      ])
    },
    async stop() {
      await provider.handleRequest(requestOf('evm_setIntervalMining', [0]))
      await close()
    },
  }
}

async function createProvider({
  chainId,
  hardfork,
}: NodeOptions & { hardfork: Hardfork }): Promise<Provider> {
  const edr = readBinding()
  const context = await openContext(edr)
  const spec = edr.SpecId[hardfork]
  const deployer = {
    address: hexToBytes(deterministicDeployer),
    code: hexToBytes(deterministicDeployerCode),
  }
  return await context.createProvider(
    edr.L1_CHAIN_TYPE,
    {
      // Allows several blocks within one second, like other nodes. Otherwise the chain would run ahead of the clock.
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: defaultGas,
      genesisState: [...edr.l1GenesisState(spec), deployer, ...developmentAccounts.map(fund)],
      hardfork,
      initialBaseFeePerGas: initialBaseFee,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      mining: {
        autoMine: false,
        blockGasLimit: BigInt(seedingGasLimit),
        memPool: { order: 'Fifo' },
      },
      network: { genesisBlockGasLimit: BigInt(seedingGasLimit) },
      networkId: BigInt(chainId),
      observability: {},
      ownedAccounts: developmentAccounts.map(({ privateKey }) => privateKey),
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new edr.ContractDecoder(),
  )
}

function fund({ address }: { address: Hex }) {
  return { address: hexToBytes(address), balance: accountBalance }
}

let opened: Promise<Context> | undefined

/** Opens EDR's context; a process may have only one. */
function openContext(edr: Binding): Promise<Context> {
  opened ??= (async () => {
    const context = new edr.EdrContext()
    await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory())
    return context
  })()
  return opened
}

function readBinding(): Binding {
  // EDR's allocator reads this once. EDR traces each call step by step in hundreds of megabytes; returning them to the
  // system after each call takes longer than the call.
  process.env['MIMALLOC_PURGE_DELAY'] ??= '-1'
  try {
    return createRequire(import.meta.url)('@nomicfoundation/edr-linux-x64-gnu') as Binding
  } catch {
    throw new DevnetError(
      'EDR_MISSING',
      'EDR was not found. On Linux x64 it comes with `npm ci`; on other platforms choose another node.',
    )
  }
}

type Request = { id?: unknown; method?: unknown; params?: unknown }

async function answer(provider: Provider, body: string): Promise<NodeAnswer> {
  const content = parse(body)
  const replies: object[] = []
  for (const each of Array.isArray(content) ? content : [content])
    replies.push(await reply(provider, each as Request | undefined))
  return { status: 200, body: JSON.stringify(Array.isArray(content) ? replies : replies[0]) }
}

async function reply(provider: Provider, { id = null, method, params = [] }: Request = {}) {
  const { data } = await provider.handleRequest(requestOf(method, params))
  return { jsonrpc: '2.0', id, ...(typeof data === 'string' ? JSON.parse(data) : (data as object)) }
}

function requestOf(method: unknown, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
