import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import { type Address, encodeAbiParameters, type Hex, pad, parseAbiParameters } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHintedPools, type HintedPools } from './createHintedPools.js'
import type { HintedPool } from './hintedEvents.js'

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const [factory, vault, tokenA, tokenB] = [1, 2, 3, 4].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
]
const minute = 60_000

let time: number
let hinted: HintedPools
/** What each pool holds of the two tokens; none makes its calls revert. */
let held: Map<Address, bigint>
let asked: string[]
let isDown: boolean

beforeEach(() => {
  ;[time, held, asked, isDown] = [0, new Map(), [], false]
  hinted = createHintedPools(() => time)
})

const v2 = (number: number): HintedPool => ({
  pool: addressOf(number),
  registry: factory,
  shape: 'balancerV2',
  blockNumber: 1,
})
const v3 = (number: number): HintedPool => ({ ...v2(number), registry: vault, shape: 'balancerV3' })

/** A node with a factory and a Vault of both generations. The id of a pool is its address, padded. */
async function ask(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
  return calls.map(({ params }) => {
    const [{ data, to }] = params as [{ to: Address; data: Hex }]
    if (isDown) return { ok: false, failure: 'timeout' } as RpcOutcome
    const result = answerOf(to, data)
    return result === undefined
      ? ({ ok: false, failure: 'revert' } as RpcOutcome)
      : ({ ok: true, result } as RpcOutcome)
  })
}

function answerOf(to: Address, data: Hex): Hex | undefined {
  if (to === factory) return pad(vault)
  if (to !== vault) return pad(to)
  const pool: Address = `0x${data.slice(-40)}`
  asked.push(pool)
  const balance = held.get(pool)
  if (balance === undefined) return undefined
  const tokens = [pool, tokenA, tokenB]
  const balances = [7n, balance, 2n * balance]
  if (data.startsWith(getPoolTokens))
    return encodeAbiParameters(parseAbiParameters('address[], uint256[], uint256'), [
      tokens,
      balances,
      1n,
    ])
  const info = { tokenType: 0, rateProvider: addressOf(0), paysYieldFees: false }
  return encodeAbiParameters(
    parseAbiParameters(['address[], Info[], uint256[], uint256[]', infoStruct]),
    [tokens, tokens.map(() => info), balances, balances],
  )
}

const getPoolTokens = '0xf94d4668'
const infoStruct = 'struct Info { uint8 tokenType; address rateProvider; bool paysYieldFees; }'

describe('HintedPools.refresh', () => {
  test('default: reads what pools of both Vaults hold, without their own tokens', async () => {
    held = new Map([
      [addressOf(10), 5n],
      [addressOf(11), 6n],
    ])
    expect(await hinted.refresh(ask, [v2(10), v3(11)], [tokenA])).toBe(true)
    expect(hinted.holding(tokenA)).toEqual([
      { pool: addressOf(10), tokens: [tokenA, tokenB], balances: [5, 10] },
      { pool: addressOf(11), tokens: [tokenA, tokenB], balances: [6, 12] },
    ])
    expect(hinted.holding(addressOf(10))).toEqual([])
  })

  test('behavior: leaves out pools that are empty, or that nobody knows', async () => {
    held = new Map([[addressOf(10), 0n]])
    held.set(addressOf(13), 1n)
    expect(await hinted.refresh(ask, [v2(10), v3(11), v2(12), v3(13)], [])).toBe(true)
    expect(hinted.holding(tokenB).map(({ pool }) => pool)).toEqual([addressOf(13)])
  })

  test('behavior: another registry that names the same pool does not hide it', async () => {
    held = new Map([[addressOf(10), 5n]])
    const claimed = { ...v3(10), registry: addressOf(99) }
    await hinted.refresh(ask, [v2(10), claimed], [])
    expect(hinted.holding(tokenA).map(({ pool }) => pool)).toEqual([addressOf(10)])
  })

  test('behavior: reads pools again after a while, those in use first, and others rarely', async () => {
    held = new Map([[addressOf(10), 5n]])
    const pools = [v3(10), v3(11)]
    await hinted.refresh(ask, pools, [])
    hinted.use([addressOf(10).toUpperCase().replace('X', 'x') as Hex])
    const askedAfter = async (ms: number) => {
      time += ms
      asked = []
      expect(await hinted.refresh(ask, pools, [])).toBe(false)
      return asked
    }
    expect(await askedAfter(4 * minute)).toEqual([])
    expect(await askedAfter(2 * minute)).toEqual([addressOf(10)])
    expect(await askedAfter(30 * minute)).toEqual([])
    expect(await askedAfter(60 * minute)).toEqual([addressOf(10)])
    expect(await askedAfter(360 * minute)).toEqual([addressOf(10), addressOf(11)])
  })

  test('behavior: a crowd of registered pools does not delay the pools in use', async () => {
    held = new Map([[addressOf(10), 5n]])
    await hinted.refresh(ask, [v3(10)], [])
    hinted.use([addressOf(10)])
    time += 6 * minute
    asked = []
    const crowd = Array.from({ length: 1_000 }, (_, index) => v3(1_000 + index))
    await hinted.refresh(ask, [...crowd, v3(10)], [])
    expect([asked.length, asked[0]]).toEqual([200, addressOf(10)])
  })

  test('behavior: forgets a pool whose announcement was dropped', async () => {
    held = new Map([[addressOf(10), 5n]])
    await hinted.refresh(ask, [v3(10)], [])
    await hinted.refresh(ask, [], [])
    expect(hinted.holding(tokenA)).toEqual([])
  })

  test('behavior: of too many pools the deepest in valued tokens stay', async () => {
    const crowd = Array.from({ length: 5_000 }, (_, index) => v3(1_000 + index))
    for (const { pool } of crowd) held.set(pool, 2n)
    held.set(addressOf(10), 1n)
    held.set(addressOf(11), 10n ** 18n)
    // 2,000 in the first round, and 200 in each later one.
    const pools = [v3(10), ...crowd, v3(11)]
    for (let round = 0; round < 17; round++) await hinted.refresh(ask, pools, [tokenA])
    const kept = hinted.holding(tokenA).map(({ pool }) => pool)
    expect(kept.length).toBe(5_000)
    expect(kept).toContain(addressOf(11))
    expect(kept).not.toContain(addressOf(10))
  })

  test('error: the node answers nothing, and what was read before stays', async () => {
    held = new Map([[addressOf(10), 5n]])
    await hinted.refresh(ask, [v3(10)], [])
    isDown = true
    await expect(hinted.refresh(ask, [v3(10), v3(11)], [])).rejects.toThrow('did not answer')
    expect(hinted.holding(tokenA)).toHaveLength(1)
  })
})
