import { type ChainConfig, deployGeneration, parseChainConfig, type Rpc } from '@sluice/deploy'
import type { Deployments } from '@sluice/domain'
import { type Address, getAddress, type Hex, keccak256, numberToHex, toBytes } from 'viem'
import { trader } from './account.js'
import type { ChainSpec } from './chains.js'
import { installContracts } from './installContracts.js'
import type { PoolSpec } from './market.js'
import { type Converters, convertersOf, seedConverters } from './seedConverters.js'
import { type HintedPools, seedHinted } from './seedHinted.js'
import { type ImitatedPools, seedImitations } from './seedImitations.js'
import { isListed } from './seedListed.js'
import { configureTokens, seedMarket } from './seedMarket.js'
import { listedVenues, venuesOf } from './venues.js'

/** Gas limit of a block, and so of an `eth_call`, once the chain is set up. */
const blockGasLimit = 100_000_000n
/** Separate from the development account, because tests compare that account's balances to the wei. */
const feeRecipient = getAddress(keccak256(toBytes('sluice devnet treasury')).slice(0, 42) as Hex)
const accountBalance = 1_000_000n * 10n ** 18n
const traderBalance = 1_000n * 10n ** 18n

/** Addresses of the contracts, tokens and pools of a development chain. */
export type FurnishedChain = {
  /** Addresses of the pools, in their order; the PoolManager for pools of Uniswap V4. */
  readonly addresses: readonly Address[]
  /** Pools that only pool hints find, if the chain has any. */
  readonly hinted: HintedPools | undefined
  /** Contracts that exchange two tokens at one price, if the chain has any. */
  readonly converters: Converters | undefined
  /** Pools of the venues that the chain imitates. */
  readonly imitated: ImitatedPools
  readonly config: ChainConfig
  /** What `config` was read from. */
  readonly configFile: object
  readonly deployments: Deployments.Deployments
}

/**
 * What a caller puts on a chain beside its own venues, after the tokens and before the pools.
 *
 * @returns More venues, in the format of a config file.
 */
export type Annex = (rpc: Rpc) => Promise<readonly object[]>

/** Puts venues, tokens, pools and the protocol on a fresh development node that mines on demand. */
export async function furnishChain(
  rpc: Rpc,
  spec: ChainSpec,
  options: {
    pools: readonly PoolSpec[]
    account: { address: Address }
    annex?: Annex | undefined
  },
): Promise<FurnishedChain> {
  await installChain(rpc, spec, options.account)
  return await openChain(rpc, spec, options)
}

/** Does the part that needs a development node: contracts at their real addresses, and balances of native coin. */
export async function installChain(
  rpc: Rpc,
  spec: ChainSpec,
  account: { address: Address },
): Promise<void> {
  await installContracts(rpc, spec, account.address)
  await rpc.batch([
    ['hardhat_setBalance', [account.address, numberToHex(accountBalance)]],
    ['hardhat_setBalance', [trader.address, numberToHex(traderBalance)]],
  ])
}

/** Creates the pools, and deploys the protocol unless `isDeployed` is false. */
export async function openChain(
  rpc: Rpc,
  spec: ChainSpec,
  {
    pools,
    account,
    annex,
    isDeployed = true,
  }: {
    pools: readonly PoolSpec[]
    account: { address: Address }
    annex?: Annex | undefined
    isDeployed?: boolean
  },
): Promise<FurnishedChain> {
  await configureTokens(rpc, spec, account.address)
  const annexed = (await annex?.(rpc)) ?? []
  const addresses = await seedMarket(rpc, spec, { pools, account: account.address })
  const hinted = spec.hasHinted ? await seedHinted(rpc, spec, account.address) : undefined
  if (spec.hasConverters) await seedConverters(rpc, spec, account.address)
  const imitated = await seedImitations(rpc, spec, account.address)
  const converters = spec.hasConverters ? convertersOf(spec) : undefined
  await rpc.batch([
    ['evm_setBlockGasLimit', [numberToHex(blockGasLimit)]],
    ['evm_setAutomine', [true]],
  ])
  const configFile = configOf(spec, { addresses, annexed, pools })
  const config = parseChainConfig(configFile)
  const { deployments } = isDeployed
    ? await deployGeneration(rpc, { config })
    : { deployments: { schema: 1, chains: {} } as const }
  return { addresses, hinted, converters, imitated, config, configFile, deployments }
}

/** A config like the config files of real chains, with the devnet's venues. */
function configOf(
  spec: ChainSpec,
  {
    addresses,
    annexed,
    pools,
  }: {
    addresses: readonly Address[]
    annexed: readonly object[]
    pools: readonly PoolSpec[]
  },
): object {
  const { chainId, name, wrappedNative, usdc, slu, connectors, tokens } = spec
  return {
    chainId,
    name,
    wrappedNative,
    usdc,
    slu,
    feeRecipient,
    blockTimeMs: spec.blockTimeMs,
    connectorTokens: connectors.map((symbol) => ({
      symbol,
      address: tokens.find((token) => token.symbol === symbol)?.address,
    })),
    venues: [...venuesOf(spec), ...annexed],
    pools: pools.flatMap((pool, index) =>
      isListed(pool) && !pool.isRegistered
        ? [
            {
              venue: listedVenues[pool.kind],
              address: addresses[index],
              tokens: pool.tokens.map(({ address }) => address),
            },
          ]
        : [],
    ),
  }
}
