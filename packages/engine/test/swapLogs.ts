import { Events } from '@sluice/domain'
import { type Address, concat, type Hex, numberToHex, pad, slice } from 'viem'
import type { FakeLog } from './fakeLogChain.js'

/** Routers of two generations. */
export const routers = {
  '1.0.0': '0x00000000000000000000000000000000000000f1',
  '2.0.0': '0x00000000000000000000000000000000000000f2',
} as const

export const followed = Object.entries(routers).map(([version, address]) => ({ version, address }))

export function traderAt(index: number): Address {
  return `0x${(0xace000 + index).toString(16).padStart(40, '0')}`
}

const [tokenIn, tokenOut] = [pad('0xa1'), pad('0xb2')]

/** Logs that the Router of a generation emits for one fill. */
export function swapLogs(
  version: keyof typeof routers,
  trader: Address,
  options: { isSurplus?: boolean; sold?: Address; amountIn?: bigint } = {},
): FakeLog[] {
  const address = routers[version]
  const log = (name: keyof typeof Events.all, topics: Hex[], words: number): FakeLog => ({
    address,
    topics: [Events.all[name].topic0, ...topics],
    data: concat(Array.from({ length: words }, (_, index) => numberToHex(index + 1, { size: 32 }))),
  })
  const { amountIn = 1n, sold } = options
  const plain = log('Swap', [pad(trader), sold ? pad(sold) : tokenIn, tokenOut], 3)
  const data = concat([numberToHex(amountIn, { size: 32 }), slice(plain.data, 32)])
  const swap = { ...plain, data }
  if (version === '1.0.0') return options.isSurplus ? [swap, log('Surplus', [tokenOut], 1)] : [swap]
  return [log('Fee', [tokenOut], 3), swap, log('ExecutionProof', [pad(trader), tokenOut], 4)]
}

/** Counts the logs of a chain directly, without code of the index. */
export function recount(blocks: readonly { logs: readonly FakeLog[] }[]) {
  const events = { Swap: 0, ExecutionProof: 0, Fee: 0, Surplus: 0 }
  const traders = new Set<string>()
  for (const { topics } of blocks.flatMap(({ logs }) => logs)) {
    const names = Object.keys(events) as (keyof typeof events)[]
    const name = names.find((each) => Events.all[each].topic0 === topics[0])!
    events[name]++
    if (name === 'Swap') traders.add(topics[1]!)
  }
  return { events, traders: traders.size }
}
