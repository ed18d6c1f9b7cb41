import { expect, test } from 'vitest'
import {
  changesAmounts,
  type HookKind,
  hookKindOf,
  hookKinds,
  type ListedHook,
} from './hookKinds.js'

const none = {
  dynamicFee: false,
  requiresCustomSwapData: false,
  vanillaSwap: false,
  swapAccess: 'none',
} as const

/** The last 14 bits of the address are the permissions. */
function hookOf(permissions: number, properties: Partial<ListedHook['properties']> = {}) {
  const address = `0x${'c'.repeat(36)}${permissions.toString(16).padStart(4, '0')}`
  return { hook: { address, chainId: 8453 }, properties: { ...none, ...properties } }
}

const cases: readonly (readonly [HookKind, ListedHook, boolean])[] = [
  ['wants data with the swap', hookOf(0xcc, { requiresCustomSwapData: true }), true],
  ['lets listed callers swap', hookOf(0x80, { swapAccess: 'allowlist', vanillaSwap: true }), false],
  ['is switched by its owner', hookOf(0x88, { swapAccess: 'governance' }), true],
  ['is open at times', hookOf(0xc0, { swapAccess: 'temporal' }), false],
  ['has other conditions', hookOf(0x80, { swapAccess: 'other' }), false],
  ['is not called in swaps', hookOf(0x2000, { vanillaSwap: true }), false],
  ['changes no amounts', hookOf(0xc0, { vanillaSwap: true }), false],
  ['changes amounts before the swap', hookOf(0xcc, { dynamicFee: true }), true],
  ['changes amounts after the swap', hookOf(0x44, { dynamicFee: true }), true],
  ['sets the fee', hookOf(0x80, { dynamicFee: true }), false],
  ['does something else in the swap', hookOf(0x40), false],
]

test.each(cases)('default: %s', (kind, hook, isChanging) => {
  expect([hookKindOf(hook), changesAmounts(hook)]).toEqual([kind, isChanging])
})

test('behavior: every kind has a case', () => {
  expect(cases.map(([kind]) => kind)).toEqual(hookKinds)
})
