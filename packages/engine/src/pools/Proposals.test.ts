import { beforeEach, describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { requestOf } from '../../test/harness.js'
import { createProposals, type Proposal, type Proposals } from './Proposals.js'

const { dai, slu, usdc, weth } = tokens
const request = requestOf({ amountIn: 1_000_000n })
const tenTimes = requestOf({ amountIn: 10_000_000n })

let proposals: Proposals
let proposal: Proposal

beforeEach(() => {
  proposals = createProposals()
  proposal = { chosen: [[dai, slu], [usdc]], at: 0 }
  proposals.put(request, proposal)
})

describe('Proposals.of', () => {
  const of = (amountIn: bigint) => requestOf({ amountIn })

  test('default: is valid for amounts of similar size, for ten minutes', () => {
    const proposal = { chosen: [], at: 1_000 }
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
    expect(proposals.hintsFor(request, 0)).toEqual([dai, slu])
    proposal.improved = [usdc]
    expect(proposals.hintsFor(request, 0)).toEqual([usdc])
  })

  test('behavior: no hints for a trade without a proposal, or with an expired one', () => {
    expect(proposals.hintsFor(tenTimes, 0)).toEqual([])
    expect(proposals.hintsFor(request, 600_000)).toEqual([])
  })

  test('behavior: hints confirmed for another size come last', () => {
    proposals.put(tenTimes, { chosen: [], improved: [usdc, dai], at: 0 })
    expect(proposals.hintsFor(request, 0)).toEqual([dai, slu, usdc])
  })

  test('behavior: uses confirmed sizes up to thirty times away, the nearest first', () => {
    const of = (amountIn: bigint) => requestOf({ amountIn })
    const hintsFor = (amountIn: bigint) => {
      proposals.put(of(amountIn), { chosen: [], at: 0 })
      return proposals.hintsFor(of(amountIn), 0)
    }
    proposals = createProposals()
    proposals.put(of(10_000n), { chosen: [], improved: [dai], at: 0 })
    expect(hintsFor(40_000n)).toEqual([dai])
    expect(hintsFor(300_000n)).toEqual([dai])
    expect(hintsFor(1_000_000n)).toEqual([])
    proposals.put(of(3_000_000n), { chosen: [], improved: [slu], at: 0 })
    expect(hintsFor(1_000_000n)).toEqual([slu])
  })
})

describe('Proposals.doubt', () => {
  test('default: failed hints are not used, and the other hints of the trade stay', () => {
    proposal.improved = [slu, dai]
    proposal.isQueued = true
    proposals.doubt(request, 0, [dai])
    expect(proposals.hintsFor(request, 0)).toEqual([slu])
    expect(proposal).toMatchObject({ improved: undefined, isQueued: false })
  })

  test('behavior: a second failure adds to the failed hints', () => {
    proposals.doubt(request, 0, [dai])
    proposals.doubt(request, 0, [slu])
    expect(proposals.hintsFor(request, 0)).toEqual([])
  })

  test('behavior: failed hints are left out even if another size confirmed them', () => {
    proposals.put(tenTimes, { chosen: [], improved: [usdc, dai], at: 0 })
    proposals.doubt(request, 0, [dai])
    expect(proposals.hintsFor(request, 0)).toEqual([slu, usdc])
  })

  test('behavior: a failed hint is used again once the chain confirms it', () => {
    proposals.doubt(request, 0, [dai])
    proposal.improved = [dai]
    expect(proposals.hintsFor(request, 0)).toEqual([dai])
  })

  test('behavior: does nothing for a trade without a proposal', () => {
    proposals.doubt(tenTimes, 0, [dai])
    expect(proposals.hintsFor(request, 0)).toEqual([dai, slu])
    expect(proposals.of(tenTimes, 0)).toBeUndefined()
  })

  test('behavior: a failure counts no longer than the proposal', () => {
    proposals.doubt(request, 0, [dai])
    proposals.put(request, { chosen: [[dai, weth]], at: 600_000 })
    expect(proposals.hintsFor(request, 600_000)).toEqual([dai, weth])
  })
})
