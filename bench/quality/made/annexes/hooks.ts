import type { Rpc } from '@sluice/deploy'
import { type HookedSpec, rounded } from '@sluice/devnet'
import {
  type Address,
  encodeDeployData,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  toBytes,
} from 'viem'
import { type Compiled, compileFixtures } from '../../../gas/compileFixture.js'

/** Flags in a hook's address. */
export const flags = {
  beforeSwap: 0x80,
  afterSwap: 0x40,
  beforeSwapDelta: 0x8,
  afterSwapDelta: 0x4,
} as const
const ALL_FLAGS = 0x3fffn
/** A part more than positions need, because floats and the pools round. */
const MARGIN = 1.001
const LEAST_MARGIN = 1e6

/** The hooks of the fixtures that benches use, by file. */
const fixtures = {
  Hooks: [
    'PlainHook',
    'ChosenFeeHook',
    'InputFeeHook',
    'OutputFeeHook',
    'BonusHook',
    'AntiSandwichHook',
    'CurveHook',
    'AsyncHook',
    'BurningHook',
    'LyingHook',
    'MeddlingHook',
    'CallingHook',
    'PickyHook',
    'GarbageHook',
  ],
  HostileHooks: ['BaitHook', 'GasLyingHook'],
} as const
export type HookFixture = (typeof fixtures)[keyof typeof fixtures][number]

let compiled: Record<HookFixture, Compiled> | undefined

/** Compiles the hooks, once. */
export function hookFixture(name: HookFixture): Compiled {
  compiled ??= {
    ...compileFixtures('Hooks', fixtures.Hooks),
    ...compileFixtures('HostileHooks', fixtures.HostileHooks),
  }
  return compiled[name]
}

/** An address with these flags and no others. */
export function hookAddress(name: string, own: number): Address {
  const digits = BigInt(keccak256(toBytes(name))) & ((1n << 160n) - 1n)
  return getAddress(numberToHex((digits & ~ALL_FLAGS) | BigInt(own), { size: 20 }))
}

/** Puts a hook's code at an address. */
export async function installHook(
  rpc: Rpc,
  { args, at, fixture }: { at: Address; fixture: HookFixture; args: readonly unknown[] },
): Promise<void> {
  const { abi, bytecode } = hookFixture(fixture)
  const creation = { data: encodeDeployData({ abi, bytecode, args }) }
  const runtime = await rpc.request<Hex>('eth_call', [creation, 'latest'])
  await rpc.request('hardhat_setCode', [at, runtime])
}

/** Amounts that a pool's positions take, and a little more. */
export function needOf({ ranges, sqrtPriceX96 }: HookedSpec): [bigint, bigint] {
  const root = Number(sqrtPriceX96) / 2 ** 96
  const rootAt = (tick: number) => 1.0001 ** (tick / 2)
  let [amount0, amount1] = [0, 0]
  for (const { liquidity, tickLower, tickUpper } of ranges) {
    const [low, high] = [rootAt(tickLower), rootAt(tickUpper)]
    const at = Math.min(Math.max(root, low), high)
    amount0 += Number(liquidity) * (1 / at - 1 / high)
    amount1 += Number(liquidity) * (at - low)
  }
  const need = (amount: number) => rounded(amount * MARGIN + LEAST_MARGIN)
  return [need(amount0), need(amount1)]
}
