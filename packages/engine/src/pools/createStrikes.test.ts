import { describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { createStrikes } from './createStrikes.js'

const hour = 3_600_000
const { dai, slu, usdc } = tokens

describe('createStrikes', () => {
  test('default: a token is returned at its third failure', () => {
    const strike = createStrikes(() => 0)
    expect(strike([dai])).toEqual([])
    expect(strike([dai])).toEqual([])
    expect(strike([dai])).toEqual([dai])
  })

  test('behavior: it is returned again while its failures count', () => {
    let now = 0
    const strike = createStrikes(() => now)
    for (now of [0, 1, 2]) strike([dai])
    now = hour - 1
    expect(strike([dai])).toEqual([dai])
  })

  test('behavior: a failure counts for an hour', () => {
    let now = 0
    const strike = createStrikes(() => now)
    strike([dai])
    strike([dai])
    now = hour
    expect(strike([dai])).toEqual([])
    expect(strike([dai])).toEqual([])
    expect(strike([dai])).toEqual([dai])
  })

  test('behavior: of the tokens of one route, returns the one that also fails elsewhere', () => {
    const strike = createStrikes(() => 0)
    expect(strike([slu, dai])).toEqual([])
    expect(strike([slu, usdc])).toEqual([])
    expect(strike([slu, dai])).toEqual([slu])
  })

  test('behavior: tokens that only fail together are returned together', () => {
    const strike = createStrikes(() => 0)
    strike([slu, dai])
    strike([slu, dai])
    expect(strike([slu, dai])).toEqual([slu, dai])
  })

  test('behavior: the case of an address does not matter', () => {
    const strike = createStrikes(() => 0)
    strike([dai])
    strike([dai.toLowerCase() as typeof dai])
    expect(strike([dai])).toEqual([dai])
  })
})
