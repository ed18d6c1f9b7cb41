import { type Address, getAddress, type Hex, hexToNumber, numberToHex, zeroAddress } from 'viem'
import { DeployError, RpcError } from '../../errors.js'
import { type ChainConfig, parseChainConfig } from '../../parseChainConfig.js'
import type { Rpc } from '../../rpc.js'
import { type Bench, benchOf } from '../Bench.js'
import { demandChain } from '../demandChain.js'
import { readTokens } from '../readTokens.js'
import { createAsk } from '../TrialCalls.js'
import type { Header } from './Block.js'
import type { ComparedSwap, SkippedTransaction } from './ComparedSwap.js'
import { findCandidates, type OtherSwap, readCandidate, spread } from './findSwaps.js'
import { findUncovered } from './findUncovered.js'
import { judge } from './Judgment.js'
import type { QuoteRecording } from './QuoteRecording.js'
import { type Answer, type Question, quoteSwap } from './quoteSwap.js'
import { readHeader } from './readBlocks.js'
import { recordQuote } from './recordQuote.js'
import { type HindsightSummary, summarizeHindsight } from './summarizeHindsight.js'

/** Everything that a look back found. */
export type HindsightReport = {
  readonly chainId: number
  readonly chain: string
  readonly fromBlock: number
  readonly toBlock: number
  /** Transactions of the range that swapped, or that went to the named routers. */
  readonly found: number
  readonly swaps: readonly ComparedSwap[]
  readonly skipped: readonly SkippedTransaction[]
  readonly summary: HindsightSummary
  /** Swaps for which all pools were within reach and ours paid less, with all state that the quote read; the first twenty, if asked for. */
  readonly recordings: readonly QuoteRecording[]
}

/** Which swaps to look at. */
export type HindsightOptions = {
  /** Content of the chain's config file. */
  readonly config: unknown
  /** Numbers of the first and the last block. */
  readonly from: number
  readonly to: number
  /** Only transactions to these. @default all that swapped on a venue whose events are known */
  readonly routers?: readonly Address[] | undefined
  /** Swaps to compare, spread over the range. @default 100 */
  readonly most?: number | undefined
  /** Records losses that nothing explains. @default false */
  readonly isRecorded?: boolean | undefined
  /** Called with one line of text for each step. */
  readonly onProgress?: ((text: string) => void) | undefined
}

const usualMost = 100
const maxRecordings = 20
const maxConnectors = 4
const maxPools = 8
const progressSwaps = 10

/**
 * Compares settled swaps of other routers with what Sluice would have paid, at the block before each and at its own. Sends reads
 * and calls only, and needs no trace methods. The node must keep the state of these blocks.
 *
 * @throws DeployError `WRONG_CHAIN`, `NO_BLOCK`, `NO_LOGS` or `NO_OLD_STATE`
 */
export async function runHindsight(
  rpc: Rpc,
  {
    config: content,
    from,
    isRecorded = false,
    most = usualMost,
    onProgress = () => {},
    routers,
    to,
  }: HindsightOptions,
): Promise<HindsightReport> {
  const config = parseChainConfig(content)
  await demandRange(rpc, config, { from, to })
  onProgress(`Reading blocks ${from} to ${to} of ${config.name}`)
  const named = routers?.map((router) => getAddress(router))
  const candidates = await findCandidates(rpc, { from, to, routers: named, onProgress })
  onProgress(`${candidates.length} transactions may be swaps of other routers`)
  const compare = createComparer(rpc, config)
  const swaps: ComparedSwap[] = []
  const skipped: SkippedTransaction[] = []
  for (const candidate of spread(candidates)) {
    if (swaps.length >= most) break
    const { header, transaction } = candidate
    const swap = await readCandidate(rpc, candidate, config.wrappedNative)
    if (typeof swap === 'string')
      skipped.push({ transaction: transaction.hash, blockNumber: header.number, reason: swap })
    else swaps.push(await compare(swap))
    if (typeof swap !== 'string' && swaps.length % progressSwaps === 0)
      onProgress(`${swaps.length} of at most ${Math.min(most, candidates.length)} swaps compared`)
  }
  swaps.sort((a, b) => a.blockNumber - b.blockNumber)
  return {
    chainId: config.chainId,
    chain: config.name,
    fromBlock: from,
    toBlock: to,
    found: candidates.length,
    swaps,
    skipped,
    summary: summarizeHindsight(swaps),
    recordings: isRecorded
      ? await recordLosses(rpc, swaps, { configFile: content, onProgress })
      : [],
  }
}

/** Demands the node's chain, the blocks, and the state of the block before the first. */
async function demandRange(
  rpc: Rpc,
  config: ChainConfig,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const head = hexToNumber(await demandChain(rpc, config))
  if (to > head)
    throw new DeployError(
      'NO_BLOCK',
      `The range ends at block ${to}, but the node's latest block is ${head}. End at ${head} or before.`,
    )
  try {
    await rpc.request('eth_getBalance', [zeroAddress, numberToHex(from - 1)])
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    throw new DeployError(
      'NO_OLD_STATE',
      `The node does not keep the state of block ${from - 1}: ${error.message} Use an archive node, or later blocks: most nodes keep the last 128.`,
      { cause: error },
    )
  }
}

/** Compares swaps one by one; what it learns about a token it keeps. */
function createComparer(rpc: Rpc, config: ChainConfig) {
  const bench = benchOf(config)
  const taxes = new Map<Address, boolean | null>()

  async function taxOf(tokens: readonly Address[], block: Hex): Promise<boolean | null> {
    const unknown = tokens.filter((token) => !taxes.has(token))
    for (const [token, { problem, slot }] of await readTokens(rpc, unknown, block))
      taxes.set(token, slot === undefined ? null : problem === 'it taxes transfers')
    const all = tokens.map((token) => taxes.get(token) ?? null)
    if (all.includes(true)) return true
    return all.includes(null) ? null : false
  }

  return async (swap: OtherSwap): Promise<ComparedSwap> => {
    const { header, ...told } = swap
    const blockNumber = header.number
    const question = questionOf(swap, config)
    const previous = await readHeader(rpc, blockNumber - 1)
    const ask = (at: Header) => quoteAt(rpc, bench, { header: at, question })
    const [before, after] = [await ask(previous), await ask(header)]
    const isTaxed = await taxOf([swap.tokenIn, swap.tokenOut], numberToHex(blockNumber - 1))
    const isLess = !('failed' in before) && before.grossOut < swap.amountOut
    const tokens = [swap.tokenIn, swap.tokenOut, ...swap.between]
    const uncovered = isLess
      ? await findUncovered(createAsk(rpc, numberToHex(blockNumber - 1)), bench, {
          ...{ config, tokens, sources: swap.sources },
        })
      : []
    const { isMoved } = swap
    const judgment = judge({
      ...{ swap, before, after, isMoved, uncovered },
      isTaxed: isTaxed === true,
    })
    const { connectors, pools = [] } = question
    return {
      ...{ ...told, blockNumber, ...judgment },
      ...{ before, after, isTaxed, uncovered, connectors, pools },
    }
  }
}

async function quoteAt(
  rpc: Rpc,
  bench: Bench,
  options: { header: Header; question: Question },
): Promise<Answer> {
  return await quoteSwap(createAsk(rpc, numberToHex(options.header.number)), bench, options)
}

/** The trade, at the gas price of the transaction. The search is told the tokens and pools of the swap, as a pool index would. */
export function questionOf(
  {
    amountIn,
    between,
    gasPrice,
    sources,
    tokenIn,
    tokenOut,
  }: Pick<OtherSwap, 'amountIn' | 'between' | 'gasPrice' | 'sources' | 'tokenIn' | 'tokenOut'>,
  config: ChainConfig,
): Question {
  const shared = sources.filter(({ isShared }) => isShared)
  return {
    ...{ tokenIn, tokenOut, amountIn, gasPrice },
    connectors: between
      .filter((token) => !config.connectorTokens.includes(token))
      .slice(0, maxConnectors),
    pools: shared.map(({ pool }) => pool).slice(0, maxPools),
  }
}

async function recordLosses(
  rpc: Rpc,
  swaps: readonly ComparedSwap[],
  options: { configFile: unknown; onProgress: (text: string) => void },
): Promise<readonly QuoteRecording[]> {
  const losses = swaps.filter(({ cause }) => cause === 'worse_route' || cause === 'truncated')
  const recordings: QuoteRecording[] = []
  for (const swap of losses.slice(0, maxRecordings)) {
    const recording = await recordQuote(rpc, { ...options, swap }).catch((error: unknown) => {
      if (error instanceof RpcError || error instanceof DeployError) return undefined
      throw error
    })
    if (recording) recordings.push(recording)
    else
      options.onProgress(
        `The node does not tell what the quote for ${swap.transaction} reads, so it is not recorded.`,
      )
  }
  return recordings
}
