import { setMaxListeners } from 'node:events'
import { hubAbi } from '@sluice/abi'
import { PlanCall, type QuoteRequest } from '@sluice/domain'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { askPlans } from '../askPlans.js'
import type { ChainState } from '../ChainState.js'
import type { AskNode } from '../logs/AskNode.js'
import { askNodes } from '../logs/askNodes.js'
import { createWindow } from '../logs/Window.js'
import { followPools } from './followPools.js'
import type { PoolStore } from './PoolStore.js'
import { proposeConnectors } from './proposeConnectors.js'

/** How long a proposal holds: pools come and go slowly. */
const proposalMs = 600_000
const mostProposals = 5_000
const followEveryMs = 30_000
const proposalBudgetMs = 10_000

/** Connector hints for quotes of one chain, from the index of its pools. */
export type Hints = {
  /** What was proposed for a trade of this pair and size; asks for a proposal where there is none, and goes on. */
  known: (request: QuoteRequest.QuoteRequest) => readonly Address[]
  /** The proposal, waited for. */
  propose: (request: QuoteRequest.QuoteRequest) => Promise<readonly Address[]>
  start: () => void
  stop: () => void
}

type Proposal = {
  readonly hints: Promise<readonly Address[]>
  value?: readonly Address[]
  at: number
}

export type HintsOptions = {
  store: PoolStore
  /** Unix milliseconds. */
  now: () => number
}

export function createHints(state: ChainState, { now, store }: HintsOptions): Hints {
  const { chainId } = state.chain
  const proposals = new Map<string, Proposal>()
  const stopping = new AbortController()
  // Many proposals may wait on it at a time.
  setMaxListeners(0, stopping.signal)
  const window = createWindow()
  let timer: NodeJS.Timeout | undefined
  /** Known once the index is complete: before, nothing is proposed and nothing remembered. */
  let wiring: Wiring | undefined

  async function follow(): Promise<void> {
    for (const ask of askNodes(state, stopping.signal)) {
      try {
        const found = wiring ?? (await readWiring(state, ask))
        await followPools({ ask, store, chainId, factories: found.factories, window })
        wiring = found
        break
      } catch {
        // The index is a help and not a need: quotes go on without it, and another node, or the next round, tries again.
      }
    }
    if (!stopping.signal.aborted) timer = setTimeout(follow, followEveryMs).unref()
  }

  function entry(request: QuoteRequest.QuoteRequest): Proposal | undefined {
    if (!wiring) return undefined
    const key = keyOf(request)
    const present = proposals.get(key)
    if (present && now() - present.at < proposalMs) return present
    const hints = proposeFor(request, wiring).catch(() => [])
    const fresh: Proposal = { hints, at: now() }
    hints.then((value) => {
      fresh.value = value
    })
    proposals.delete(key)
    proposals.set(key, fresh)
    if (proposals.size > mostProposals) proposals.delete(proposals.keys().next().value!)
    return fresh
  }

  async function proposeFor(
    request: QuoteRequest.QuoteRequest,
    { connectorTokens, listed }: Wiring,
  ): Promise<readonly Address[]> {
    const { wrappedNative } = state.chain
    const [tokenIn, tokenOut] = [request.tokenIn.address, request.tokenOut.address]
    return await proposeConnectors(
      { store, chainId, tokenIn, tokenOut, wrappedNative, connectorTokens, listed },
      async (connectors) => {
        const { amountIn, gasPrice } = request
        const question = { tokenIn, tokenOut, amountIn, gasPrice, connectors, isExact: false }
        const { quoter } = request.chain.contracts
        const ask = { question, quoter, data: PlanCall.encode(question) }
        const options = { budgetMs: proposalBudgetMs, now, signal: stopping.signal }
        const { answers } = await askPlans(state, [ask], options)
        const [answer] = answers
        return answer?.kind === 'plan' && answer.plan.verdict === 'Executable'
          ? answer.plan
          : undefined
      },
    )
  }

  return {
    known: (request) => entry(request)?.value ?? [],
    propose: async (request) => (await entry(request)?.hints) ?? [],
    start: () => void follow(),
    stop() {
      stopping.abort()
      clearTimeout(timer)
    },
  }
}

type Wiring = {
  factories: readonly Address[]
  connectorTokens: readonly Address[]
  /** Tokens of each pool that the Hub lists. */
  listed: readonly (readonly Address[])[]
}

/**
 * What the chain's Hub is wired with.
 *
 * @throws where the node does not tell.
 */
async function readWiring({ chain }: ChainState, ask: AskNode): Promise<Wiring> {
  const abi = hubAbi
  const names = ['venues', 'connectorTokens', 'pools'] as const
  const outcomes = await ask(
    names.map((functionName) => ({
      method: 'eth_call',
      params: [
        { to: chain.contracts.hub, data: encodeFunctionData({ abi, functionName }) },
        'latest',
      ],
    })),
  )
  const [venues, connectors, pools] = outcomes.map((outcome) =>
    outcome.ok ? (outcome.result as Hex) : '0x',
  )
  return {
    factories: decodeFunctionResult({ abi, functionName: 'venues', data: venues! }).map(
      ({ factory }) => factory,
    ),
    connectorTokens: decodeFunctionResult({
      abi,
      functionName: 'connectorTokens',
      data: connectors!,
    }),
    listed: decodeFunctionResult({ abi, functionName: 'pools', data: pools! }).map(
      ({ tokens }) => tokens,
    ),
  }
}

/** By pair and order of magnitude: what is worth passing through depends on the size. */
function keyOf({ amountIn, gasPrice, tokenIn, tokenOut }: QuoteRequest.QuoteRequest): string {
  return [tokenIn.address, tokenOut.address, `${amountIn}`.length, `${gasPrice}`.length].join()
}
