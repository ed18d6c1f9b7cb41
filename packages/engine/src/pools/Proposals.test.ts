import { describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { requestOf } from '../../test/harness.js'
import { createProposals } from './Proposals.js'

const of = (amountIn: bigint) => requestOf({ amountIn })

describe('createProposals', () => {
  test('default: holds for amounts of about the same size, for ten minutes', () => {
    const proposals = createProposals()
    const proposal = { chosen: [], at: 1_000 }
    proposals.put(of(10_000n), proposal)
    expect(proposals.of(of(29_999n), 1_000)).toBe(proposal)
    expect(proposals.of(of(30_000n), 1_000)).toBeUndefined()
    expect(proposals.of(of(9_999n), 1_000)).toBeUndefined()
    expect(proposals.of(of(10_000n), 601_000)).toBeUndefined()
    const other = requestOf({ amountIn: 10_000n, tokenOut: requestOf().tokenIn })
    expect(proposals.of(other, 1_000)).toBeUndefined()
  })

  test('behavior: what the chain confirmed for a size is known beside it', () => {
    const proposals = createProposals()
    proposals.put(of(10_000n), { chosen: [], improved: [tokens.dai], at: 1_000 })
    expect(proposals.nearby(of(40_000n), 1_000)).toEqual([tokens.dai])
    expect(proposals.nearby(of(300_000n), 1_000)).toEqual([tokens.dai])
    expect(proposals.nearby(of(1_000_000n), 1_000)).toBeUndefined()
    // The nearer one counts.
    proposals.put(of(3_000_000n), { chosen: [], improved: [tokens.slu], at: 1_000 })
    expect(proposals.nearby(of(1_000_000n), 1_000)).toEqual([tokens.slu])
  })
})
