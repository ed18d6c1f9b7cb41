import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import { planOf } from '../../test/plans.js'
import { requestOn } from '../../test/requests.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Quote from './Quote.js'
import * as Readiness from './Readiness.js'

const sender = '0x00000000000000000000000000000000000000AA' as const
const amountIn = 1_000_000n

function quoteOf(changes: Partial<QuoteRequest> = {}): Quote.Quote {
  const who = { sender, recipient: sender }
  const request = requestOn(registry.get(8_453)!, { amountIn, ...who, ...changes })
  return Quote.from(request, planOf(), { now: 1_700_000_001n })
}

/** A sender with more than enough balance and allowance, whose calls succeed. */
function stateOf(changes: Partial<Readiness.SenderState> = {}): Readiness.SenderState {
  return {
    balance: 2n * amountIn,
    received: 1n,
    allowance: 2n * amountIn,
    direct: { isOk: true, answer: '0x' },
    isFunded: true,
    ...changes,
  }
}

const estGasOf = (quote: Quote.Quote, state: Readiness.SenderState) =>
  Readiness.apply(quote, state).estGas

/** Successful results of the sender's calls, the last of which is the swap. */
function succeeded(quote: Quote.Quote, swapGas: bigint) {
  return Readiness.stepsOf(quote, { resets: false }).map(({ purpose }) => ({
    isOk: true,
    gas: purpose === 'swap' ? swapGas : 50_000n,
    answer: '0x' as const,
  }))
}

describe('the estimate for a sender', () => {
  test('default: is the estimate of the plan', () => {
    expect(estGasOf(quoteOf(), stateOf())).toBe(130_000n)
  })

  test("behavior: adds a recipient's first balance, and refunds an emptied balance or allowance", () => {
    expect(estGasOf(quoteOf(), stateOf({ received: 0n }))).toBe(147_100n)
    expect(estGasOf(quoteOf(), stateOf({ balance: amountIn }))).toBe(125_200n)
    expect(estGasOf(quoteOf(), stateOf({ allowance: amountIn }))).toBe(128_100n)
  })

  test('behavior: refunds a wrapped balance that the swap empties, unless the sender held some before', () => {
    const quote = quoteOf({ tokenIn: { address: tokens.weth, isNative: true } })
    const allowed = { allowance: 0n, balance: 10n * amountIn }
    expect(estGasOf(quote, stateOf({ ...allowed, wrapped: 0n }))).toBe(123_300n)
    expect(estGasOf(quote, stateOf({ ...allowed, wrapped: 1n }))).toBe(128_100n)
    expect(estGasOf(quote, stateOf(allowed))).toBe(128_100n)
  })

  /** Gas of the transaction before refunds, from a rehearsal in which an approval of another amount came first. */
  function burnedOf({ data }: { data: string }, swapGas: bigint): bigint {
    const zeros = data
      .slice(2)
      .match(/../g)!
      .filter((byte) => byte === '00').length
    const calldata = 4 * zeros + 16 * (data.length / 2 - 1 - zeros)
    // The Router's account is cold only in the rehearsal; the token's account and the allowance only in the swap alone.
    return 21_000n + BigInt(calldata) + swapGas - 2_500n + 2_500n + 2_000n + 2_800n
  }

  test('behavior: is at least four fifths of the measured gas, because a refund is at most a fifth', () => {
    const quote = quoteOf()
    const measured = (swapGas: bigint) =>
      estGasOf(quote, stateOf({ plain: succeeded(quote, swapGas) }))
    expect(measured(100_000n)).toBe(130_000n)
    const burned = burnedOf(quote.tx!, 300_000n)
    expect(measured(300_000n)).toBe(burned - burned / 5n)
  })

  test('behavior: uses the measured gas for a taxed token, which writes more than balances', () => {
    const plain = quoteOf()
    const warning = {
      code: 'taxed_token' as const,
      message: 'A token keeps back 2 % of transfers.',
    }
    const quote = { ...plain, warnings: [warning] }
    // The refund for the Router's balance of the output token, which is zero again after the swap.
    const given = 19_900n
    const state = stateOf({ plain: succeeded(quote, 150_000n) })
    expect(estGasOf(quote, state)).toBe(burnedOf(quote.tx!, 150_000n) - given)
    expect(estGasOf(quote, { ...state, balance: amountIn })).toBe(
      burnedOf(quote.tx!, 150_000n) - given - 4_800n,
    )
  })
})
