import { routerAbi } from '@sluice/abi'
import { decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { registry, router, tokens } from '../../test/deployments.js'
import { planOf } from '../../test/plans.js'
import { requestOn } from '../../test/requests.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Quote from './Quote.js'

const recipient = '0x00000000000000000000000000000000000000AA'
const at = 1_700_000_001n

function requestOf(changes: Partial<QuoteRequest> = {}): QuoteRequest {
  return requestOn(registry.get(8_453)!, { recipient, ...changes })
}

describe('Quote.from', () => {
  test('default: builds calldata with the floor as the minimum', () => {
    const quote = Quote.from(requestOf(), planOf(), { now: at })
    expect(quote).toMatchObject({ canExecute: true, effectiveMinOut: 1_974_456n })
    expect(quote.reason).toBeUndefined()
    expect(quote.tx?.to.toLowerCase()).toBe(router.toLowerCase())
    expect(decodeFunctionData({ abi: routerAbi, data: quote.tx!.data })).toEqual({
      functionName: 'swapExactIn',
      args: [planOf().route, 1_000_000n, 1_974_456n, recipient, 1_700_000_121n],
    })
    expect(quote.approval).toEqual({
      token: tokens.weth,
      spender: quote.tx!.to,
      amount: 1_000_000n,
    })
  })

  test("behavior: uses the caller's minimum if it is higher", () => {
    const quote = Quote.from(requestOf({ slippageBps: 50 }), planOf(), { now: at })
    expect(quote.effectiveMinOut).toBe(1_984_428n)
  })

  test('behavior: counts the deadline from the clock, and says so', () => {
    const { tx } = Quote.from(requestOf({ deadlineSec: 10 }), planOf(), { now: at + 490n })
    expect(tx!.deadline).toEqual({ at: at + 500n, countedFrom: 'clock' })
    expect(decodeFunctionData({ abi: routerAbi, data: tx!.data }).args.at(-1)).toBe(at + 500n)
  })

  test('error: builds no calldata if the clock is far behind the chain', () => {
    const quote = Quote.from(requestOf(), planOf(), { now: 1_600_000_000n })
    expect(quote).toMatchObject({
      canExecute: true,
      tx: undefined,
      txReason:
        'The clock of the machine that builds the calldata is far behind the chain. Set it, then request a new quote.',
    })
  })

  test('behavior: builds no calldata without a recipient', () => {
    const quote = Quote.from(requestOf({ recipient: undefined }), planOf(), { now: at })
    expect(quote).toMatchObject({ canExecute: true, tx: undefined, txReason: undefined })
  })

  test.each(['DryRunFailed', 'BelowFloor'] as const)(
    'behavior: %s is not executable',
    (verdict) => {
      const quote = Quote.from(requestOf(), planOf({ verdict }), { now: at })
      expect(quote).toMatchObject({ canExecute: false, tx: undefined, approval: undefined })
      expect(quote.reason).toContain('A dry run of the route')
      expect(quote.txReason).toBe(quote.reason)
    },
  )

  test('behavior: a plan below the floor is not executable', () => {
    const plan = planOf({ ironFloor: 1_994_401n })
    expect(Quote.from(requestOf(), plan, { now: at })).toMatchObject({
      canExecute: false,
      effectiveMinOut: 1_994_401n,
      tx: undefined,
      reason: 'The output is below the minimum that the protocol accepts.',
    })
  })

  test('behavior: returns a quote without calldata if no Router is deployed', () => {
    const quote = Quote.from(requestOf({ chain: registry.get(31_337)! }), planOf(), { now: at })
    expect(quote).toMatchObject({
      canExecute: true,
      tx: undefined,
      txReason: 'The Router is not deployed on Bench.',
    })
  })
})
