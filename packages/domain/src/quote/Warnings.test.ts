import { describe, expect, test } from 'vitest'
import { planOf } from '../../test/plans.js'
import * as Warnings from './Warnings.js'

const done = { kind: 'done', taxBps: 0 } as const

function codesOf(changes: Partial<Warnings.of.Parameters>): readonly Warnings.Code[] {
  const parameters = { plan: planOf(), dryRun: done, isSigned: true, ...changes }
  return Warnings.of(parameters).map(({ code }) => code)
}

const withImpact = (impactBps: bigint) => planOf({ route: { ...planOf().route, impactBps } })

describe('Warnings.of', () => {
  test('default: no warnings', () => {
    expect(codesOf({})).toEqual([])
  })

  test('behavior: warns of an impact above 5 %', () => {
    expect(codesOf({ plan: withImpact(500n) })).toEqual([])
    expect(codesOf({ plan: withImpact(501n) })).toEqual(['high_impact'])
  })

  test('behavior: warns if the floor is stricter than the slippage', () => {
    const { ironFloor } = planOf()
    expect(codesOf({ asksMinimum: ironFloor })).toEqual([])
    expect(codesOf({ asksMinimum: ironFloor - 1n })).toEqual(['floor_above_slippage'])
  })

  test('behavior: warns of a tax that the dry run found, with its size', () => {
    const dryRun = { kind: 'done', taxBps: 396 } as const
    expect(Warnings.of({ plan: planOf(), dryRun, isSigned: true })).toEqual([
      {
        code: 'taxed_token',
        message: 'A tax on transfers takes 3.96 % of the output; the numbers are after the tax.',
      },
    ])
  })

  test('behavior: warns of a missing dry run only if there is something to sign', () => {
    for (const kind of ['missing', 'none'] as const) {
      expect(codesOf({ dryRun: { kind } })).toEqual(['dry_run_missing'])
      expect(codesOf({ dryRun: { kind }, isSigned: false })).toEqual([])
    }
  })

  test('behavior: returns several warnings in the order of the codes', () => {
    const plan = withImpact(900n)
    const dryRun = { kind: 'done', taxBps: 1 } as const
    expect(codesOf({ plan, asksMinimum: 1n, dryRun })).toEqual([
      'high_impact',
      'floor_above_slippage',
      'taxed_token',
    ])
  })
})
