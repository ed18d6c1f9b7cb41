/**
 * Kinds of hooks in Uniswap's public list of known hooks (`hooklist.json` of github.com/Uniswap/hooklist), by what they
 * may do in a swap. The permissions are the lowest 14 bits of a hook's address; the rest is what the list's editors read in
 * its source code.
 */

/** What is used of an entry of the list. */
export type ListedHook = {
  readonly hook: { readonly address: string; readonly chainId: number }
  readonly properties: {
    readonly dynamicFee: boolean
    /** A swap without data fails, or comes out wrong. */
    readonly requiresCustomSwapData: boolean
    /** A swap that is let through pays what the pool pays without its hook. */
    readonly vanillaSwap: boolean
    readonly swapAccess: 'none' | 'temporal' | 'allowlist' | 'governance' | 'other'
  }
}

const beforeSwap = 1n << 7n
const afterSwap = 1n << 6n
const beforeSwapReturnsDelta = 1n << 3n
const afterSwapReturnsDelta = 1n << 2n

/** The kinds, each with its test. The first that fits counts. */
const kinds = {
  'wants data with the swap': ({ properties }) => properties.requiresCustomSwapData,
  'lets listed callers swap': ({ properties }) => properties.swapAccess === 'allowlist',
  'is switched by its owner': ({ properties }) => properties.swapAccess === 'governance',
  'is open at times': ({ properties }) => properties.swapAccess === 'temporal',
  'has other conditions': ({ properties }) => properties.swapAccess === 'other',
  'is not called in swaps': (hook) => !has(hook, beforeSwap | afterSwap),
  'changes no amounts': ({ properties }) => properties.vanillaSwap,
  'changes amounts before the swap': (hook) => has(hook, beforeSwapReturnsDelta),
  'changes amounts after the swap': (hook) => has(hook, afterSwapReturnsDelta),
  'sets the fee': ({ properties }) => properties.dynamicFee,
  'does something else in the swap': () => true,
} as const satisfies Record<string, (hook: ListedHook) => boolean>

/** Name of a kind. */
export type HookKind = keyof typeof kinds

/** Names of the kinds, in the order in which they are tried. */
export const hookKinds = Object.keys(kinds) as readonly HookKind[]

/** Kind of a listed hook. */
export function hookKindOf(hook: ListedHook): HookKind {
  return hookKinds.find((kind) => kinds[kind](hook))!
}

/** Whether the hook may change what a swap takes or pays beyond the pool's fee. */
export function changesAmounts(hook: ListedHook): boolean {
  return has(hook, beforeSwapReturnsDelta | afterSwapReturnsDelta)
}

function has({ hook }: ListedHook, permissions: bigint): boolean {
  return (BigInt(hook.address) & permissions) !== 0n
}
