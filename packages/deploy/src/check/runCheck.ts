import { type Hex, hexToNumber } from 'viem'
import { DeployError, RpcError } from '../errors.js'
import { parseChainConfig } from '../parseChainConfig.js'
import type { Rpc } from '../rpc.js'
import type { Attempted, Skipped } from './Comparison.js'
import { checkConfig } from './checkConfig.js'
import { comparePools } from './comparePools.js'
import { demandChain } from './demandChain.js'
import type { ConfigFindings } from './Findings.js'
import type { Recording } from './Recording.js'
import { record } from './record.js'
import { summarize, type VenueSummary } from './summarize.js'

/** Everything that a check found. */
export type CheckReport = {
  readonly chainId: number
  readonly chain: string
  /** Block of all reads and swaps. */
  readonly blockNumber: number
  readonly config: ConfigFindings
  readonly venues: readonly VenueSummary[]
  readonly attempts: readonly Attempted[]
  readonly skipped: readonly Skipped[]
  /** Pairs for which the Finder gave no answer. */
  readonly unansweredPairs: number
  /** Swaps that differ, with all state that repeats them offline; the first twenty, if asked for. */
  readonly recordings: readonly Recording[]
  /** No fault, and every quoted swap agrees to the wei. At least one was quoted. */
  readonly isRight: boolean
}

/** What to check, and how much of it. */
export type CheckOptions = {
  /** Content of the chain's config file. */
  readonly config: unknown
  /** Pools of each venue. @default 10 */
  readonly pools?: number | undefined
  /** Sizes of the swaps. Each is a number of millionths of the pool's balance of the token sold. @default 1, 1,000 and 100,000 */
  readonly sizes?: readonly number[] | undefined
  /** Records swaps that differ. @default false */
  readonly isRecorded?: boolean | undefined
  /** Called with one line of text for each step. */
  readonly onProgress?: ((text: string) => void) | undefined
}

const usualPools = 10
const maxRecordings = 20
const usualSizes = [1, 1_000, 100_000]

/**
 * Checks whether Sluice is right on a chain: compares the config with the chain, and the arithmetic with the pools' own
 * execution. Sends reads and calls only.
 *
 * @throws DeployError `WRONG_CHAIN` if the node serves another chain.
 */
export async function runCheck(
  rpc: Rpc,
  {
    config: content,
    isRecorded = false,
    onProgress = () => {},
    pools = usualPools,
    sizes = usualSizes,
  }: CheckOptions,
): Promise<CheckReport> {
  const config = parseChainConfig(content)
  const block = await demandChain(rpc, config)
  onProgress(`Checking the config of ${config.name} at block ${hexToNumber(block)}`)
  const findings = await checkConfig(rpc, config, block)
  const compared = await comparePools(rpc, config, { block, pools, sizes, onProgress })
  const venues = summarize(compared.attempts)
  return {
    chainId: config.chainId,
    chain: config.name,
    blockNumber: hexToNumber(block),
    config: findings,
    venues,
    ...compared,
    recordings: isRecorded
      ? await recordWrong(rpc, compared.attempts, { block, configFile: content, onProgress })
      : [],
    isRight:
      findings.faults.length === 0 &&
      venues.some(({ agrees }) => agrees !== null) &&
      venues.every(({ agrees }) => agrees === null || agrees === 1),
  }
}

/** Records swaps that differ or fail. A node that tells nothing about a call leaves none. */
async function recordWrong(
  rpc: Rpc,
  attempts: readonly Attempted[],
  {
    onProgress,
    ...options
  }: { block: Hex; configFile: unknown; onProgress: (text: string) => void },
): Promise<readonly Recording[]> {
  const wrong = attempts.filter(({ verdict }) => verdict === 'differs' || verdict === 'refused')
  const recordings: Recording[] = []
  for (const swap of wrong.slice(0, maxRecordings)) {
    const recording = await record(rpc, { ...options, swap }).catch((error: unknown) => {
      if (error instanceof RpcError || error instanceof DeployError) return undefined
      throw error
    })
    if (recording) recordings.push(recording)
    else
      onProgress(
        `The node does not tell the state of a swap on ${swap.pool}, so it is not recorded.`,
      )
  }
  return recordings
}
