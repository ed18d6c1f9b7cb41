import { type Address, pad } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { requestOf } from '../../test/harness.js'
import type { HintSet } from './HintSet.js'
import { createProposals, type Proposal, type Proposals } from './Proposals.js'

const { dai, slu, usdc, weth } = tokens
const request = requestOf({ amountIn: 1_000_000n })
const tenTimes = requestOf({ amountIn: 10_000_000n })

/** Connector hints alone. */
const only = (connectors: readonly Address[]): HintSet => ({ connectors, pools: [] })

const none = { held: [], named: [] }

let proposals: Proposals
let proposal: Proposal

beforeEach(() => {
  proposals = createProposals()
  proposal = { chosen: [[dai, slu], [usdc]], pools: none, at: 0 }
  proposals.put(request, proposal)
})

describe('Proposals.of', () => {
  const of = (amountIn: bigint) => requestOf({ amountIn })

  test('default: is valid for amounts of similar size, for ten minutes', () => {
    const proposal = { chosen: [], pools: none, at: 1_000 }
    proposals.put(of(10_000n), proposal)
    expect(proposals.of(of(29_999n), 1_000)).toBe(proposal)
    expect(proposals.of(of(30_000n), 1_000)).toBeUndefined()
    expect(proposals.of(of(9_999n), 1_000)).toBeUndefined()
    expect(proposals.of(of(10_000n), 601_000)).toBeUndefined()
    const other = requestOf({ amountIn: 10_000n, tokenOut: requestOf().tokenIn })
    expect(proposals.of(other, 1_000)).toBeUndefined()
  })
})

describe('Proposals.hintsFor', () => {
  test('default: hints from depths, until some are confirmed on the chain', () => {
    expect(proposals.hintsFor(request, 0)).toEqual(only([dai, slu]))
    proposal.improved = only([usdc])
    expect(proposals.hintsFor(request, 0)).toEqual(only([usdc]))
  })

  test('behavior: no hints for a trade without a proposal, or with an expired one', () => {
    expect(proposals.hintsFor(tenTimes, 0)).toEqual(only([]))
    expect(proposals.hintsFor(request, 600_000)).toEqual(only([]))
  })

  test('behavior: hints confirmed for another size come last', () => {
    proposals.put(tenTimes, { chosen: [], pools: none, improved: only([usdc, dai]), at: 0 })
    expect(proposals.hintsFor(request, 0)).toEqual(only([dai, slu, usdc]))
  })

  test('behavior: of pools the ones confirmed for another size come first, and at most eight', () => {
    const pools = Array.from({ length: 8 }, (_, index): Address => pad(`0x${index}`, { size: 20 }))
    proposals.put(request, { chosen: [], pools: { held: [pools], named: [] }, at: 0 })
    proposals.put(tenTimes, {
      chosen: [],
      pools: none,
      improved: { connectors: [], pools: [slu] },
      at: 0,
    })
    expect(proposals.hintsFor(request, 0).pools).toEqual([slu, ...pools.slice(0, 7)])
    proposals.doubt(request, 0, [slu])
    expect(proposals.hintsFor(request, 0).pools).toEqual(pools)
  })

  test('behavior: uses confirmed sizes up to thirty times away, the nearest first', () => {
    const of = (amountIn: bigint) => requestOf({ amountIn })
    const hintsFor = (amountIn: bigint) => {
      proposals.put(of(amountIn), { chosen: [], pools: none, at: 0 })
      return proposals.hintsFor(of(amountIn), 0)
    }
    proposals = createProposals()
    proposals.put(of(10_000n), { chosen: [], pools: none, improved: only([dai]), at: 0 })
    expect(hintsFor(40_000n)).toEqual(only([dai]))
    expect(hintsFor(300_000n)).toEqual(only([dai]))
    expect(hintsFor(1_000_000n)).toEqual(only([]))
    proposals.put(of(3_000_000n), { chosen: [], pools: none, improved: only([slu]), at: 0 })
    expect(hintsFor(1_000_000n)).toEqual(only([slu]))
  })
})

describe('Proposals.doubt', () => {
  test('default: failed hints are not used, and the other hints of the trade stay', () => {
    proposal.improved = only([slu, dai])
    proposal.isQueued = true
    proposals.doubt(request, 0, [dai])
    expect(proposals.hintsFor(request, 0)).toEqual(only([slu]))
    expect(proposal).toMatchObject({ improved: undefined, isQueued: false })
  })

  test('behavior: a second failure adds to the failed hints', () => {
    proposals.doubt(request, 0, [dai])
    proposals.doubt(request, 0, [slu])
    expect(proposals.hintsFor(request, 0)).toEqual(only([]))
  })

  test('behavior: failed hints are left out even if another size confirmed them', () => {
    proposals.put(tenTimes, { chosen: [], pools: none, improved: only([usdc, dai]), at: 0 })
    proposals.doubt(request, 0, [dai])
    expect(proposals.hintsFor(request, 0)).toEqual(only([slu, usdc]))
  })

  test('behavior: a failed hint is used again once the chain confirms it', () => {
    proposals.doubt(request, 0, [dai])
    proposal.improved = only([dai])
    expect(proposals.hintsFor(request, 0)).toEqual(only([dai]))
  })

  test('behavior: does nothing for a trade without a proposal', () => {
    proposals.doubt(tenTimes, 0, [dai])
    expect(proposals.hintsFor(request, 0)).toEqual(only([dai, slu]))
    expect(proposals.of(tenTimes, 0)).toBeUndefined()
  })

  test('behavior: a failure counts no longer than the proposal', () => {
    proposals.doubt(request, 0, [dai])
    proposals.put(request, { chosen: [[dai, weth]], pools: none, at: 600_000 })
    expect(proposals.hintsFor(request, 600_000)).toEqual(only([dai, weth]))
  })
})
