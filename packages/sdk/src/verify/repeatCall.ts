import { CallParameters, IntegratorFee, NodeResult, SoldRoute } from '@sluice/domain'
import type { Hex } from '../wire.js'
import {
  type AskedCall,
  askedOf,
  type Outcome,
  type RepeatableQuote,
  type RepeatOptions,
} from './prepareRepeat.js'
import { resultError } from './resultError.js'

/** The trusted addresses, the state that was asked for, and the maximum age of the block. */
export type RepeatCallOptions = RepeatOptions & {
  /** Maximum age of the block in seconds; `Infinity` for a chain that makes blocks on demand. @default 300 */
  maxBlockAgeSec?: number | undefined
}

/** The `eth_call` behind a quote, and what reads its result. */
export type RepeatCall = {
  readonly chainId: number
  /** Parameters of the `eth_call`. */
  readonly params: readonly unknown[]
  /**
   * Checks what the node returned, as `decode` does.
   *
   * @throws IntegrityError with the failed check; NoRouteError if the node finds no route.
   */
  readonly read: (result: string) => Repeated
}

/** What a node computes for the trade of a quote, and the block that it says so of. */
export type Repeated = Outcome & {
  readonly witness: {
    readonly chainId: bigint
    readonly blockNumber: bigint
    /** Unix seconds. */
    readonly timestamp: bigint
    readonly parentHash: Hex
  }
}

/** Time that a node may take to answer. */
const patienceMs = 120_000

/**
 * Repeats a quote in one process: what `prepareRepeat` and `decode` do, without the form in which a prepared call travels
 * and without the transaction. `isSameOutcome` compares the result with the quote.
 *
 * @throws IntegrityError if the call of the quote does not match its trade.
 */
export function repeatCall(quote: RepeatableQuote, options: RepeatCallOptions): RepeatCall {
  const { maxBlockAgeSec, now = Date.now() } = options
  const { request, ...call } = askedOf(quote, options)
  const prepared = { preparedAt: now, expiresAt: now + patienceMs }
  return {
    chainId: quote.chainId,
    params: CallParameters.of(request, call),
    read(text) {
      try {
        const result = text.toLowerCase()
        return outcomeOf(request, NodeResult.read(request, { maxBlockAgeSec, prepared, result }))
      } catch (error) {
        throw resultError(error)
      }
    },
  }
}

function outcomeOf(request: AskedCall['request'], { plan }: NodeResult.Read): Repeated {
  const { netOut, route, witness } = IntegratorFee.applied(plan, request.integratorFee)
  const sold = SoldRoute.of(request, plan)
  return { amountIn: route.amountIn, amountOut: netOut, route: sold, witness }
}
