import { routerAbi } from '@sluice/abi'
import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { deployments } from '../../../domain/test/deployments.js'
import { quoteBody } from '../../test/service.js'
import { parseQuote } from '../amounts.js'
import { IntegrityError, type Quote } from '../index.js'
import { readRegistry, type VerifiedTransaction, verifyTransaction, withSources } from './index.js'

const registry = readRegistry(deployments)
const { router } = registry.get(8453)!.contracts
const now = 1_700_000_000
const recipient = '0x00000000000000000000000000000000000000AA'
const request = {
  chain: 'base',
  in: 'WETH',
  out: 'USDC',
  amountIn: 10n ** 18n,
  recipient,
  deadlineSec: 120,
} as const
const quote: Quote = parseQuote(quoteBody)

type Arguments = { amountIn: bigint; minOut: bigint; recipient: Hex; deadline: bigint }

function txOf(changes: Partial<Arguments> = {}, route = quote.route, of = quote) {
  const given = {
    amountIn: route.amountIn,
    minOut: of.quote!.effectiveMinOut,
    recipient,
    deadline: BigInt(now + 120),
    ...changes,
  } as const
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName: 'swapExactIn',
    args: [route, given.amountIn, given.minOut, given.recipient, given.deadline],
  })
  return { to: router, data, value: 0n }
}

const options = { request, quote, registry, now, clockSkewSec: 0 }

/** The check that rejects a transaction; `undefined` if it passes. */
function checkOf(tx: object, changes: object = {}): string | undefined {
  try {
    verifyTransaction(tx, { ...options, ...changes })
    return undefined
  } catch (error) {
    if (error instanceof IntegrityError) return error.check
    throw error
  }
}

describe('verifyTransaction', () => {
  test('default: returns what the calldata does', () => {
    const { data } = txOf()
    expect(verifyTransaction(txOf(), options)).toEqual({
      to: router,
      data,
      value: 0n,
      version: '1.0.0',
      tokenIn: quote.tokenIn,
      tokenOut: quote.tokenOut,
      amountIn: 10n ** 18n,
      minOut: 8_917_127_262_193_584n,
      recipient,
      deadline: BigInt(now + 120),
      route: expect.objectContaining({ grossOut: 9_032_490_227_377_650n }),
    })
  })

  const other = '0x00000000000000000000000000000000000000bb'
  const { route } = quote
  const [leg] = route.legs
  test.each([
    ['to', { ...txOf(), to: other }],
    ['to', { ...txOf(), to: null }],
    ['value', { ...txOf(), value: 1n }],
    ['selector', { ...txOf(), data: '0x' }],
    ['selector', { ...txOf(), data: '0xdeadbeef' }],
    ['selector', { ...txOf(), data: txOf().data.slice(0, -2) }],
    ['encoding', { ...txOf(), data: `${txOf().data}00` }],
    ['encoding', { ...txOf(), data: `${txOf().data}${'00'.repeat(32)}` }],
    ['tokenIn', txOf({}, { ...route, tokenIn: other })],
    ['tokenOut', txOf({}, { ...route, tokenOut: other })],
    ['recipient', txOf({ recipient: other })],
    ['amountIn', txOf({ amountIn: 1n })],
    ['amountIn', txOf({}, { ...route, amountIn: 2n * route.amountIn })],
    ['route', txOf({}, { ...route, grossOut: route.grossOut + 1n })],
    ['route', txOf({}, { ...route, legs: [{ ...leg!, pool: other }] })],
    ['route', txOf({}, { ...route, legs: [leg!, leg!] })],
    ['minOut', txOf({ minOut: quote.quote!.effectiveMinOut - 1n })],
    ['minOut', txOf({ minOut: quote.quote!.effectiveMinOut + 1n })],
    ['minOut', txOf({ minOut: 0n })],
    ['deadline', txOf({ deadline: BigInt(now - 1) })],
    ['deadline', txOf({ deadline: BigInt(now + 121) })],
    ['deadline', txOf({ deadline: 2n ** 256n - 1n })],
  ])('error: %s', (check, tx) => {
    expect(checkOf(tx)).toBe(check)
  })

  test('error: rejects a minimum below the floor or the slippage, even if quote and calldata agree', () => {
    const low = { ...quote, quote: { ...quote.quote!, effectiveMinOut: 1n } }
    expect(checkOf(txOf({}, route, low), { quote: low })).toBe('minOut')
    const tight = { ...request, slippageBps: 10 }
    expect(checkOf(txOf(), { request: tight })).toBe('minOut')
  })

  const [venue] = quote.route.legs.map((each) => each.venue)
  const sourced = (...names: readonly string[]) =>
    withSources(registry, {
      chainId: 8453,
      sources: names.map((venueName, index) => ({ venue: index + 1, venueName, enabled: true })),
    })
  /** The venue of the quote has the name `used`, and the one after it `other`. */
  const known = sourced(...Array.from({ length: venue! - 1 }, (_, k) => `v${k}`), 'used', 'other')

  test.each<[string | undefined, object]>([
    [undefined, { includeSources: ['used'] }],
    [undefined, { includeSources: ['other', 'used'] }],
    [undefined, { includeSources: `${venue}` }],
    [undefined, { excludeSources: ['other'] }],
    ['includeSources', { includeSources: ['other'] }],
    ['includeSources', { includeSources: `${venue! + 1}` }],
    ['excludeSources', { excludeSources: ['used'] }],
    ['excludeSources', { excludeSources: `${venue},${venue! + 1}` }],
  ])('behavior: fails the check %s of a route for %j', (check, sources) => {
    const changes = { request: { ...request, ...sources }, registry: known }
    expect(checkOf(txOf(), changes)).toBe(check)
  })

  test('behavior: numbers of venues need no table of them', () => {
    const included = { ...request, includeSources: `${venue}` }
    expect(checkOf(txOf(), { request: included })).toBeUndefined()
    const excluded = { ...request, excludeSources: `${venue}` }
    expect(checkOf(txOf(), { request: excluded })).toBe('excludeSources')
  })

  test('error: names of venues without the venues, lists that are malformed, and a venue that is not known', () => {
    const ask = (sources: object, given = registry) =>
      checkOf(txOf(), { request: { ...request, ...sources }, registry: given })
    expect(() => ask({ includeSources: ['used'] })).toThrow(
      '`includeSources` names venues of Base, which the registry does not have; add the result of `getSources` with `withSources`.',
    )
    expect(() => ask({ excludeSources: ['nothing'] }, known)).toThrow('which is no venue of Base')
    expect(() => ask({ excludeSources: ',' }, known)).toThrow('must be 1 to 64 venues')
    expect(() => ask({ includeSources: '1', excludeSources: '2' }, known)).toThrow(
      '`excludeSources` cannot be combined with `includeSources`.',
    )
    const without = withSources(registry, {
      chainId: 8453,
      sources: [{ venue: venue! + 1, venueName: 'other', enabled: true }],
    })
    expect(ask({ excludeSources: ['other'] }, without)).toBe('excludeSources')
  })

  test.each([
    ['value', 'value', 'abc'],
    ['value', 'value', 0.5],
    ['value', 'value', Number.NaN],
    ['value', 'value', {}],
    ['value', 'value', '0x01'],
    ['data', 'selector', 5],
    ['data', 'selector', {}],
    ['to', 'to', 5],
    ['to', 'to', {}],
  ])('error: untrusted JSON with an invalid %s fails the check %s: %j', (name, check, wrong) => {
    expect(checkOf({ ...txOf(), [name]: wrong })).toBe(check)
  })

  test('behavior: accepts every notation of a zero value, and upper-case calldata', () => {
    for (const value of [undefined, null, 0, 0n, '0', '0x', '0x0', '0x00'])
      expect(checkOf({ ...txOf(), value })).toBeUndefined()
    const { data } = txOf()
    const upper = { ...txOf(), data: data.toUpperCase() }
    expect(verifyTransaction(upper, options).data).toBe(data)
    expect(checkOf(undefined as never)).toBe('to')
  })

  test('behavior: accepts the minimum that follows from slippageBps', () => {
    const minOut = 8_998_192_055_486_253n // netOut less 10 bps, rounded up
    const said = { ...quote, quote: { ...quote.quote!, effectiveMinOut: minOut } }
    const changes = { quote: said, request: { ...request, slippageBps: 10 } }
    expect(checkOf(txOf({}, route, said), changes)).toBeUndefined()
  })

  test("error: an output that does not follow from the quote's route", () => {
    expect(checkOf(txOf(), { quote: { ...quote, amountOut: quote.amountOut + 1n } })).toBe(
      'amountOut',
    )
  })

  test('error: a quote for another chain, and a request without a recipient', () => {
    expect(checkOf(txOf(), { quote: { ...quote, chainId: 1 } })).toBe('chainId')
    const { recipient: _, ...without } = request
    expect(() => verifyTransaction(txOf(), { ...options, request: without })).toThrow(
      '`recipient` is required.',
    )
  })

  test('error: a chain without a Router', () => {
    expect(checkOf(txOf(), { request: { ...request, chain: 31_337, out: 'USDC' } })).toBe('to')
  })
})

/** Flips every bit of the calldata, one at a time. */
test('property: rejects every flipped bit, except those that only shorten the deadline', () => {
  const { data } = txOf()
  const digits = data.slice(2)
  const accepted: VerifiedTransaction[] = []
  for (let bit = 0; bit < digits.length * 4; bit++) {
    const at = bit >> 2
    const digit = Number.parseInt(digits[at]!, 16) ^ (1 << (bit & 3))
    const flipped = `0x${digits.slice(0, at)}${digit.toString(16)}${digits.slice(at + 1)}`
    if (checkOf({ ...txOf(), data: flipped }) === undefined)
      accepted.push(verifyTransaction({ ...txOf(), data: flipped }, options))
  }
  // An accepted change can only be an earlier deadline that is not past.
  for (const { data: flipped } of accepted) {
    const { args } = decodeFunctionData({ abi: routerAbi, data: flipped })
    const original = decodeFunctionData({ abi: routerAbi, data }).args
    expect(args.slice(0, 4)).toEqual(original.slice(0, 4))
    expect(args[4]).toBeGreaterThanOrEqual(BigInt(now))
    expect(args[4]).toBeLessThan(original[4]!)
  }
  // These four clear one bit of the deadline and keep it within the 120 seconds.
  expect(accepted.map(({ deadline }) => Number(deadline) - now)).toEqual([104, 88, 56, 112])
})

describe('verifyTransaction of a swap for an output', () => {
  const { amountIn: _, ...rest } = request
  const asked = { ...rest, amountOut: quote.amountOut - 5n, slippageBps: 100 }
  const most = quote.amountIn + quote.amountIn / 100n
  const route = { ...quote.route, amountIn: most }
  const said = {
    ...quote,
    route,
    quote: { ...quote.quote!, effectiveMinOut: asked.amountOut },
    exactOutput: {
      amountOut: asked.amountOut,
      amountInMax: most,
      lowerBound: null,
      gapBps: null,
    },
  } satisfies Quote
  const check = (changes: Partial<Arguments> = {}, given = {}) =>
    checkOf(txOf(changes, { ...route, amountIn: changes.amountIn ?? most }, said), {
      request: asked,
      quote: said,
      ...given,
    })

  test('default: sells the quoted input with the padding that the request allows', () => {
    expect(check()).toBeUndefined()
  })

  test('error: sells more, or another amount than the padding gives', () => {
    expect(check({ amountIn: most + 1n })).toBe('amountIn')
    expect(check({ amountIn: most - 1n })).toBe('amountIn')
    expect(check({}, { request: { ...asked, slippageBps: 99 } })).toBe('amountIn')
    // The default is 50 basis points.
    expect(check({}, { request: { ...asked, slippageBps: undefined } })).toBe('amountIn')
  })

  test('error: accepts less than was asked for, whatever the tolerance', () => {
    expect(check({ minOut: asked.amountOut - 1n })).toBe('minOut')
  })

  test('error: the quote sells another amount than its calldata', () => {
    expect(check({}, { quote: { ...said, amountIn: quote.amountIn - 1n } })).toBe('amountIn')
  })
})
