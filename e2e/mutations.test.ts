import { createHash } from 'node:crypto'
import { routerAbi } from '@sluice/abi'
import { parseDecodeItem } from '@sluice/api'
import { BaseError, DecodedQuote, Preparation } from '@sluice/domain'
import { decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { answerOf, askedAt, honestPlan, recipient } from '../packages/domain/test/answers.js'
import { registry, tokens } from '../packages/domain/test/deployments.js'
import { mutateHex, mutateText, randomFrom } from './lib/mutate.js'

const runs = 100_000
const amountIn = 1_000_000n

const { request } = Preparation.from(
  {
    chain: registry.get(8_453)!,
    tokenIn: { address: tokens.weth, isNative: false },
    tokenOut: { address: tokens.usdc, isNative: false },
    amountIn,
    recipient,
    slippageBps: 50,
    deadlineSec: 120,
    isExact: false,
    gasPrice: 0n,
    connectors: [],
  },
  { preparedAt: askedAt },
)
const honest = { request, result: answerOf(honestPlan()) }
const { quote } = decode(honest)

/** Decodes an item of a request body as the service does. */
function decode(item: unknown) {
  const { prepared, result } = parseDecodeItem(item)
  return DecodedQuote.from(registry, {
    prepared,
    result,
    now: askedAt,
    hash: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
  })
}

/**
 * Words of `swapExactIn` that no mutation may change: amountIn, minOut, recipient; and the route's tokens, amount, output
 * and impact, from which the Router derives its floor.
 */
const bound = [
  [1, 4],
  [5, 10],
] as const

function words(data: string, from: number, until: number): string {
  return data.slice(10 + 64 * from, 10 + 64 * until)
}

/** Returns whether decoding rejects the item. If not, asserts that the transaction is the requested one. */
function isRefused(item: unknown): boolean {
  let decoded: DecodedQuote.DecodedQuote
  try {
    decoded = decode(item)
  } catch (error) {
    if (error instanceof BaseError) return true
    throw error
  }
  const { data, to } = decoded.quote.tx!
  expect(to).toBe(quote.tx!.to)
  for (const [from, until] of bound)
    if (words(data, from, until) !== words(quote.tx!.data, from, until))
      expect.fail(`words ${from} to ${until} of the calldata differ: ${data}`)
  return false
}

test('default: the compared words are those of the request', () => {
  const { args } = decodeFunctionData({ abi: routerAbi, data: quote.tx!.data })
  const [route, given, minOut, paid] = args as Extract<typeof args, { length: 5 }>
  const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')
  expect(words(quote.tx!.data, 1, 4)).toBe([given, minOut, paid].map(word).join(''))
  expect(words(quote.tx!.data, 5, 10)).toBe(
    [route.tokenIn, route.tokenOut, route.amountIn, route.grossOut, route.impactBps]
      .map(word)
      .join(''),
  )
  expect([given, minOut, paid]).toEqual([amountIn, quote.effectiveMinOut, recipient])
})

describe('random mutations of an honest request and result', () => {
  test('property: a changed result is rejected, or gives the requested transaction', () => {
    const random = randomFrom(20_260)
    let refused = 0
    for (let run = 0; run < runs; ++run) {
      const result = mutateHex(honest.result, random)
      if (isRefused({ ...honest, result })) ++refused
    }
    // Accepted results differ only in parts that no rule fixes: pools, shares, and the block's hash.
    expect(refused).toBeGreaterThan(runs / 2)
    expect(refused).toBeLessThan(runs)
  })

  test('property: a changed request is rejected if its meaning changes', () => {
    const random = randomFrom(4)
    const text = JSON.stringify(request)
    const alphabet = '0123456789abcdefxABCDEF":,.-{}[]enrtulsi'
    for (let run = 0; run < runs / 4; ++run) {
      const changed = mutateText(text, alphabet, random)
      let prepared: unknown
      try {
        prepared = JSON.parse(changed)
      } catch {
        continue
      }
      isRefused({ ...honest, request: prepared })
    }
  })

  test('property: shortened and lengthened results are rejected', () => {
    for (let length = 0; length < honest.result.length; ++length)
      expect(isRefused({ ...honest, result: honest.result.slice(0, length) })).toBe(true)
    for (const more of ['0', '00', '0'.repeat(64), 'f'.repeat(640)])
      expect(isRefused({ ...honest, result: honest.result + more })).toBe(true)
  })
})
