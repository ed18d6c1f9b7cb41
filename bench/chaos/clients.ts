import { Deployments, type Plan, PlanCall, type QuoteRequest, Registry } from '@sluice/domain'
import { createEngine, type Engine, type EngineConfig, QuoteError } from '@sluice/engine'
import { createPublicClient, fallback, type Hex, http } from 'viem'
import { requestOn } from '../../packages/domain/test/requests.js'
import type { Chain } from './Chain.js'
import type { ChaosNode } from './ChaosNode.js'
import { chainId, grossOutOf, tokenIn, tokenOut } from './encodePlan.js'

/** Result of one request. */
export type Outcome = {
  readonly tookMs: number
  /** `wrong`: the quote does not match the chain at any time during the request. */
  readonly kind: 'right' | 'wrong' | 'error'
  /** Code of an error. */
  readonly code?: string | undefined
}

/** A client that requests the output for an amount. */
export type Client = {
  readonly ask: (amountIn: bigint, signal?: AbortSignal) => Promise<Outcome>
  readonly stop: () => void
}

const zero = `0x${'0'.repeat(40)}`
const quoter: Hex = '0x00000000000000000000000000000000000000f2'
const contracts = Object.fromEntries(Deployments.contractNames.map((name) => [name, zero]))
export const deployments = Deployments.parse({
  schema: 1,
  chains: {
    [chainId]: {
      name: 'Chaos',
      wrappedNative: tokenIn,
      usdc: tokenOut,
      slu: null,
      blockTimeMs: 2_000,
      versions: { '1.0.0': { ...contracts, quoter } },
    },
  },
})
const registry = Registry.from(deployments, [chainId])

/** A head counts as the latest for `headFreshMs`; two honest nodes may differ by one block. */
export const headFreshMs = 250
const blocksBehind = 1

export function requestOf(
  amountIn: bigint,
  changes: Pick<Partial<QuoteRequest.QuoteRequest>, 'isExact'> = {},
): QuoteRequest.QuoteRequest {
  return requestOn(registry.get(chainId)!, {
    tokenIn: { address: tokenIn, isNative: false },
    tokenOut: { address: tokenOut, isNative: false },
    amountIn,
    ...changes,
  })
}

export function createOurEngine(
  nodes: readonly ChaosNode[],
  changes: Partial<
    Pick<EngineConfig, 'marketData' | 'onFailure' | 'onMarketFailure' | 'onAttempt'>
  > = {},
): Engine {
  return createEngine({
    ...changes,
    registry,
    rpcUrls: new Map([[chainId, nodes.map(({ url }) => url)]]),
    headFreshMs,
    maxBlockAge: 15_000,
    // No limit here: the load bench measures shedding.
    maxFlights: 1_000,
    now: Date.now,
  })
}

export function createOurs(chain: Chain, nodes: readonly ChaosNode[]): Client {
  const engine = createOurEngine(nodes)
  return {
    stop: engine.stop,
    ask: (amountIn, signal) =>
      timed(async (startedAt) => {
        const { block, quote } = await engine.quote(requestOf(amountIn), { signal })
        const isOfBlock = quote.plan.witness.blockNumber === block.number
        return isOfBlock && isTrue(chain, amountIn, quote.plan, startedAt)
      }),
  }
}

/** Like most programs: viem's client with its fallback transport and default settings. */
export function createViem(chain: Chain, nodes: readonly ChaosNode[]): Client {
  const client = createPublicClient({ transport: fallback(nodes.map(({ url }) => http(url))) })
  return {
    stop() {},
    ask: (amountIn) =>
      timed(async (startedAt) => {
        const question = {
          tokenIn,
          tokenOut,
          amountIn,
          isExact: false,
          gasPrice: 0n,
          connectors: [],
        }
        const { data } = await client.call({
          to: quoter,
          data: PlanCall.encode(question),
          gas: PlanCall.fullGas,
        })
        return data !== undefined && isTrue(chain, amountIn, PlanCall.decode(data), startedAt)
      }),
  }
}

async function timed(ask: (startedAt: number) => Promise<boolean>): Promise<Outcome> {
  const startedAt = performance.now()
  const tookMs = () => performance.now() - startedAt
  try {
    const isRight = await ask(startedAt)
    return { kind: isRight ? 'right' : 'wrong', tookMs: tookMs() }
  } catch (error) {
    const code = error instanceof QuoteError ? error.code : (error as Error).name
    return { kind: 'error', code, tookMs: tookMs() }
  }
}

type Numbers = {
  readonly route: { readonly amountIn: bigint; readonly grossOut: bigint }
  readonly witness: Pick<Plan.Witness, 'chainId' | 'blockNumber' | 'parentHash'>
}

/**
 * Whether a quote is correct for a block that was in the chain during the request, and that is not older than the maximum
 * difference between two nodes. Each block has its own price, so number, hash and amounts must match.
 */
export function isTrue(
  chain: Chain,
  amountIn: bigint,
  { route, witness }: Numbers,
  startedAt: number,
): boolean {
  const since = startedAt - headFreshMs
  const number = Number(witness.blockNumber)
  if (witness.chainId !== BigInt(chainId) || route.amountIn !== amountIn) return false
  if (number < chain.tipAt(since) - blocksBehind) return false
  return chain
    .everAt(number)
    .some(
      (block) =>
        block.parentHash === witness.parentHash &&
        grossOutOf(amountIn, block) === route.grossOut &&
        chain.wasCanonical(block.hash, since),
    )
}
