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

/** A sender who holds and has allowed more than enough, and whose calls go well. */
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

/** How the sender's calls went, the last of which is the swap. */
function wentWell(quote: Quote.Quote, swapGas: bigint) {
  return Readiness.stepsOf(quote, { resets: false }).map(({ purpose }) => ({
    isOk: true,
    gas: purpose === 'swap' ? swapGas : 50_000n,
    answer: '0x' as const,
  }))
}

describe('the estimate for a sender', () => {
  test('default: that of the plan', () => {
    expect(estGasOf(quoteOf(), stateOf())).toBe(130_000n)
  })

  test('behavior: first units cost more, and what is used up is given back', () => {
    expect(estGasOf(quoteOf(), stateOf({ received: 0n }))).toBe(147_100n)
    expect(estGasOf(quoteOf(), stateOf({ balance: amountIn }))).toBe(125_200n)
    expect(estGasOf(quoteOf(), stateOf({ allowance: amountIn }))).toBe(128_100n)
  })

  test('behavior: coin that is wrapped for the swap is used up, unless some was held before', () => {
    const quote = quoteOf({ tokenIn: { address: tokens.weth, isNative: true } })
    const allowed = { allowance: 0n, balance: 10n * amountIn }
    expect(estGasOf(quote, stateOf({ ...allowed, wrapped: 0n }))).toBe(123_300n)
    expect(estGasOf(quote, stateOf({ ...allowed, wrapped: 1n }))).toBe(128_100n)
    expect(estGasOf(quote, stateOf(allowed))).toBe(128_100n)
  })

  /** What the transaction burns by the rehearsal, which an approval of another amount went before. */
  function burnedOf({ data }: { data: string }, swapGas: bigint): bigint {
    const zeros = data
      .slice(2)
      .match(/../g)!
      .filter((byte) => byte === '00').length
    const calldata = 4 * zeros + 16 * (data.length / 2 - 1 - zeros)
    // The Router's account is cold for the rehearsal alone; the token's account and the allowance for the swap alone.
    return 21_000n + BigInt(calldata) + swapGas - 2_500n + 2_500n + 2_000n + 2_800n
  }

  test('behavior: no less than what was measured, less the fifth that may be given back', () => {
    const quote = quoteOf()
    const measured = (swapGas: bigint) =>
      estGasOf(quote, stateOf({ plain: wentWell(quote, swapGas) }))
    expect(measured(100_000n)).toBe(130_000n)
    const burned = burnedOf(quote.tx!, 300_000n)
    expect(measured(300_000n)).toBe(burned - burned / 5n)
  })

  test('behavior: what was measured of a token that writes more than balances', () => {
    const plain = quoteOf()
    const warning = {
      code: 'taxed_token' as const,
      message: 'A token keeps back 2 % of transfers.',
    }
    const quote = { ...plain, warnings: [warning] }
    // For the Router's balance of the output token, which is zero again afterwards.
    const given = 19_900n
    const state = stateOf({ plain: wentWell(quote, 150_000n) })
    expect(estGasOf(quote, state)).toBe(burnedOf(quote.tx!, 150_000n) - given)
    expect(estGasOf(quote, { ...state, balance: amountIn })).toBe(
      burnedOf(quote.tx!, 150_000n) - given - 4_800n,
    )
  })
})
