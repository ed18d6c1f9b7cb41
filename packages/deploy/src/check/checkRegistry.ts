import { concatHex, pad, toFunctionSelector } from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { VenueEntry } from '../parseVenue.js'
import type { ConfigFindings } from './Findings.js'
import { pairsOf } from './pairs.js'
import type { Chain, Read } from './readChain.js'

type Adapter = NonNullable<VenueEntry['adapter']>

const findPool = toFunctionSelector('find_pool_for_coins(address,address,uint256)')
const isOurs = toFunctionSelector('isPoolFromFactory(address)')
const poolManager = toFunctionSelector('poolManager()')
const clPoolManager = toFunctionSelector('clPoolManager()')
const readStorage = toFunctionSelector('readFromStorage(bytes32)')
const leastTrade = toFunctionSelector('getMinimumTradeAmount()')
const usds = toFunctionSelector('usds()')
const factor = toFunctionSelector('to18ConversionFactor()')
const susds = toFunctionSelector('susds()')
const stEth = toFunctionSelector('stETH()')
const bookPairs = toFunctionSelector('getNumberOfLBPairs()')
const feePercentOwner = toFunctionSelector('feePercentOwner()')

/** Asks the registry of an adapter of this repository what the adapter asks of it. One answer is enough. */
export async function checkRegistry(
  chain: Chain,
  { adapter, factory: to }: VenueEntry,
  { at, config }: { at: string; config: ChainConfig },
): Promise<ConfigFindings> {
  if (adapter === undefined) return { faults: [], unchecked: [], confirmed: 0 }
  const questions = questionsOf[adapter](config)
  // The registry of vaults is a placeholder.
  if (questions.length === 0) return { faults: [], unchecked: [], confirmed: 0 }
  const answers = await chain.read(questions.map((data): Read => ({ to, data })))
  if (answers.some((answer) => answer?.length === 66))
    return { faults: [], unchecked: [], confirmed: 1 }
  const message = `${to} does not answer as a registry of the adapter ${adapter}.`
  const fault = { code: 'WRONG_FACTORY', at: `${at}.factory`, message } as const
  return { faults: [fault], unchecked: [], confirmed: 0 }
}

const curve = ({ connectorTokens }: ChainConfig) =>
  pairsOf(connectorTokens).map(([a, b]) => concatHex([findPool, pad(a), pad(b), pad('0x')]))

const questionsOf = {
  curveStable: curve,
  curveCrypto: curve,
  balancerV2: () => [concatHex([isOurs, pad('0x')])],
  balancerV3: () => [leastTrade],
  erc4626: () => [],
  daiUsds: () => [usds],
  litePsm: () => [factor],
  psm3: () => [susds],
  wstEth: () => [stEth],
  uniswapV4Hooks: () => [poolManager],
  liquidityBook: () => [bookPairs],
  camelotV2: () => [feePercentOwner],
  infinityCl: () => [clPoolManager],
  fluidLite: () => [concatHex([readStorage, pad('0x01')])],
} as const satisfies Record<Adapter, (config: ChainConfig) => readonly Read['data'][]>
