import { Registry } from '@sluice/domain'
import { describe, expect, test } from 'vitest'
import { deployments, quoter, registry, router, tokens } from '../../domain/test/deployments.js'
import { ApiError } from './ApiError.js'
import { givenFromItem, givenFromQuery } from './givenParameters.js'
import { parseQuoteRequest } from './parseQuoteRequest.js'

const good = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1000' }
const recipient = '0x00000000000000000000000000000000000000AA'

function fromQuery(changes: Record<string, string> = {}, more = '') {
  const query = new URLSearchParams({ ...good, ...changes })
  const { given, repeated } = givenFromQuery(new URLSearchParams(`${query}${more}`))
  return parseQuoteRequest(registry, given, { repeated })
}

function fromItem(changes: Record<string, unknown> = {}) {
  return parseQuoteRequest(registry, givenFromItem({ ...good, ...changes }))
}

/** Code and failing fields of the error that `run` throws. */
function failure(run: () => unknown): { code: string; fields: string[] } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, fields: error.details?.map(({ field }) => field) ?? [] }
  }
  return { code: 'none', fields: [] }
}

describe('parseQuoteRequest', () => {
  test('default: resolves the tokens and applies the defaults', () => {
    expect(fromQuery()).toEqual({
      chain: registry.get(8_453),
      tokenIn: { address: tokens.weth, isNative: false },
      tokenOut: { address: tokens.usdc, isNative: false },
      amountIn: 1_000n,
      recipient: undefined,
      slippageBps: undefined,
      deadlineSec: 120,
      isExact: false,
      gasPrice: 0n,
      takesNodePrice: true,
      connectors: [],
    })
  })

  test('behavior: reads every parameter', () => {
    const request = fromQuery({
      in: 'ETH',
      recipient: recipient.toLowerCase(),
      slippageBps: '0',
      deadlineSec: '3600',
      exact: '1',
      gasPrice: '1000000000',
      connectors: `${tokens.dai},${tokens.slu}`,
      pools: `${tokens.slu.toLowerCase()},0x${'AB'.repeat(32)},${tokens.slu}`,
    })
    expect(request).toMatchObject({
      tokenIn: { address: tokens.weth, isNative: true },
      recipient,
      slippageBps: 0,
      deadlineSec: 3_600,
      isExact: true,
      gasPrice: 1_000_000_000n,
      connectors: [tokens.dai, tokens.slu],
      pools: [tokens.slu, `0x${'ab'.repeat(32)}`],
    })
  })

  test('behavior: reads 77 digits exactly', () => {
    const amountIn = '9'.repeat(77)
    expect(fromQuery({ amountIn }).amountIn).toBe(10n ** 77n - 1n)
    expect(fromQuery({ amountIn: `${'0'.repeat(76)}7` }).amountIn).toBe(7n)
  })

  test('behavior: accepts the id of a chain outside of the built-in list', () => {
    expect(fromQuery({ chain: '31337' }).chain.name).toBe('Bench')
  })

  test.each([
    ['chain', 'Base', 'bad_chain'],
    ['chain', '', 'bad_chain'],
    ['chain', '__proto__', 'bad_chain'],
    ['chain', 'constructor', 'bad_chain'],
    ['chain', 'eth', 'bad_chain'],
    ['chain', '999', 'bad_chain'],
    ['in', 'DOGE', 'unresolved'],
    ['in', 'DA1', 'unresolved'],
    ['in', 'US DC', 'bad_in'],
    ['in', '', 'bad_in'],
    ['out', 'USDС', 'unresolved'],
    ['out', 'constructor', 'unresolved'],
    ['recipient', '', 'bad_recipient'],
    ['recipient', 'vitalik.eth', 'bad_recipient'],
    ['recipient', `0x${'0'.repeat(40)}`, 'bad_recipient'],
    ['recipient', router, 'bad_recipient'],
    ['recipient', router.toLowerCase(), 'bad_recipient'],
    ['recipient', quoter, 'bad_recipient'],
    ['recipient', tokens.weth, 'bad_recipient'],
    ['recipient', tokens.usdc.toLowerCase(), 'bad_recipient'],
    ['exact', '0', 'bad_exact'],
    ['exact', 'true', 'bad_exact'],
    ['exact', '', 'bad_exact'],
    ['exact', '01', 'bad_exact'],
    ['gasPrice', '-1', 'bad_param'],
    ['gasPrice', '1e9', 'bad_param'],
    ['connectors', 'USDC', 'bad_param'],
    ['connectors', '', 'bad_param'],
    ['connectors', Array(5).fill(tokens.dai).join(), 'bad_param'],
    ['pools', 'USDC', 'bad_param'],
    ['pools', '', 'bad_param'],
    ['pools', `0x${'a'.repeat(63)}`, 'bad_param'],
    ['pools', Array(9).fill(tokens.dai).join(), 'bad_param'],
    ['amountin', '1', 'bad_param'],
    ['__proto__', '1', 'bad_param'],
    ['apiKey', 'x', 'bad_param'],
  ])('error: %s = %j', (field, value, code) => {
    const query = new Map<string, string>([...Object.entries(good), [field, value]])
    const { given, repeated } = givenFromQuery(new URLSearchParams([...query]))
    const run = () => parseQuoteRequest(registry, given, { repeated })
    expect(failure(run)).toEqual({ code, fields: [field] })
  })

  test.each([
    ['chain', 'bad_chain'],
    ['in', 'bad_in'],
    ['out', 'bad_out'],
    ['amountIn', 'bad_amount_in'],
  ])('error: %s is missing', (field, code) => {
    const { [field]: _, ...rest } = good as Record<string, string>
    const { given } = givenFromQuery(new URLSearchParams(rest))
    expect(failure(() => parseQuoteRequest(registry, given))).toEqual({ code, fields: [field] })
  })

  test.each([
    ['WETH', 'WETH'],
    ['ETH', 'WETH'],
    ['weth', 'ETH'],
    ['ETH', tokens.weth.toLowerCase()],
    [tokens.dai, tokens.dai.toLowerCase()],
  ])('error: %s and %s are the same token', (tokenIn, tokenOut) => {
    const run = () => fromQuery({ in: tokenIn, out: tokenOut })
    expect(failure(run)).toEqual({ code: 'bad_pair', fields: ['out'] })
  })

  test('error: SLU on a chain without it', () => {
    expect(failure(() => fromQuery({ chain: '42161', in: 'SLU' }))).toEqual({
      code: 'bad_in',
      fields: ['in'],
    })
  })

  test('error: reports all failing fields, in the order of the parameters', () => {
    const more = '&x=1&exact=2&exact=3&deadlineSec=9&slippageBps=5001&recipient=0x'
    const run = () => fromQuery({ chain: 'x', in: '1', out: ' ', amountIn: 'x' }, more)
    expect(failure(run)).toEqual({
      code: 'bad_chain',
      fields: [
        ...['chain', 'in', 'out', 'amountIn', 'recipient', 'slippageBps', 'deadlineSec', 'exact'],
        ...['x', 'exact'],
      ],
    })
  })

  test('error: a repeated parameter, even with the same value', () => {
    expect(failure(() => fromQuery({}, '&chain=base'))).toEqual({
      code: 'bad_param',
      fields: ['chain'],
    })
  })

  test('error: the message names the field and the reason', () => {
    expect(() => fromQuery({ amountIn: '1.5', slippageBps: '9999' })).toThrow(
      '`amountIn` must be 1 to 77 digits: an integer in base units of the input token. (and 1 more, see details)',
    )
  })
})

const numberTricks = [
  ...['', ' ', '0x10', '0b1', '0o7', '1e3', '1E3', '1.0', '1.', '.5', '-1', '+1', '--1', '-0'],
  ...[' 1', '1 ', '\t1', '1\n', '1\r\n', '1\0', '\u00a01', '1\u200b', '\ufeff1', '1\u2028'],
  ...['1,000', '1_000', "1'000", '1 000', '1n', '1m', '1u', '1L', '1f', '$1', '1%', '1/1', '1*1'],
  ...['NaN', 'nan', 'Infinity', '-Infinity', 'inf', 'null', 'undefined', 'true', 'false', 'one'],
  ...['[1]', '{}', '"1"', '(1)', '1;', '1#', '１', '٣', '१', '²', '①', '½', 'Ⅷ', '一'],
  ...['1e', 'e1', '1e-3', '1e+21', '0x', '0xg', '&#49;', '%31', '\\u0031', '1--', '1<2', '𝟙'],
  ...['0x1p3', '1e0', '10^18', '1k', '1eth', '1 wei', '１２', '1\u202e'],
]

describe('numbers', () => {
  const tricks = numberTricks.map((text) => [text])

  test('behavior: the list has at least 80 different strings', () => {
    expect(new Set(numberTricks).size).toBeGreaterThanOrEqual(80)
  })

  test.each(tricks)('error: %j is not a number', (text) => {
    const run = () => fromQuery({ amountIn: text, slippageBps: text, deadlineSec: text })
    expect(failure(run)).toEqual({
      code: 'bad_amount_in',
      fields: ['amountIn', 'slippageBps', 'deadlineSec'],
    })
  })

  test.each([
    ['amountIn', '0'],
    ['amountIn', '0'.repeat(77)],
    ['amountIn', '1'.repeat(78)],
    ['slippageBps', '5001'],
    ['slippageBps', '10000'],
    ['slippageBps', '9'.repeat(30)],
    ['deadlineSec', '9'],
    ['deadlineSec', '0'],
    ['deadlineSec', '3601'],
  ])('error: %s = %s is out of range', (field, text) => {
    expect(failure(() => fromQuery({ [field]: text })).fields).toEqual([field])
  })

  test.each([
    ['slippageBps', '0'],
    ['slippageBps', '5000'],
    ['deadlineSec', '10'],
    ['deadlineSec', '3600'],
  ])('behavior: %s = %s is within the limits', (field, text) => {
    expect(fromQuery({ [field]: text })).toMatchObject({ [field]: Number(text) })
  })
})

describe('batch items', () => {
  test('behavior: accepts safe integers, and booleans for `exact`', () => {
    const changes = { chain: 8_453, amountIn: 2 ** 53 - 1, slippageBps: 50, deadlineSec: 60 }
    expect(fromItem({ ...changes, exact: true })).toMatchObject({
      amountIn: 9_007_199_254_740_991n,
      slippageBps: 50,
      deadlineSec: 60,
      isExact: true,
    })
    expect(fromItem({ exact: 1 }).isExact).toBe(true)
    expect(fromItem({ exact: '1' }).isExact).toBe(true)
    expect(fromItem({ exact: false }).isExact).toBe(false)
  })

  test.each([
    ['amountIn', 2 ** 53, 'bad_amount_in'],
    ['amountIn', 1e21, 'bad_amount_in'],
    ['amountIn', 1.5, 'bad_amount_in'],
    ['amountIn', -1, 'bad_amount_in'],
    ['amountIn', 0, 'bad_amount_in'],
    ['amountIn', -0, 'bad_amount_in'],
    ['amountIn', true, 'bad_amount_in'],
    ['amountIn', null, 'bad_amount_in'],
    ['amountIn', ['1'], 'bad_amount_in'],
    ['amountIn', { toString: '1' }, 'bad_amount_in'],
    ['chain', null, 'bad_chain'],
    ['chain', true, 'bad_chain'],
    ['chain', 8_453.5, 'bad_chain'],
    ['in', 1, 'bad_in'],
    ['in', ['WETH'], 'bad_in'],
    ['out', false, 'bad_out'],
    ['recipient', 0, 'bad_recipient'],
    ['recipient', null, 'bad_recipient'],
    ['slippageBps', true, 'bad_slippage_bps'],
    ['slippageBps', 0.5, 'bad_slippage_bps'],
    ['deadlineSec', 1e9, 'bad_deadline_sec'],
    ['exact', 0, 'bad_exact'],
    ['exact', 2, 'bad_exact'],
    ['exact', null, 'bad_exact'],
    ['exact', 'true', 'bad_exact'],
    ['extra', 1, 'bad_param'],
  ])('error: %s = %j', (field, value, code) => {
    expect(failure(() => fromItem({ [field]: value }))).toEqual({ code, fields: [field] })
  })

  test('error: an own __proto__ is an unknown parameter and changes no prototype', () => {
    const item = JSON.parse('{"__proto__": {"polluted": true}, "chain": "base"}')
    expect(failure(() => parseQuoteRequest(registry, givenFromItem(item))).fields).toContain(
      '__proto__',
    )
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('version', () => {
  const { chains } = deployments
  const base = chains['8453']!
  const [quoter, secondRouter] = [`0x${'e'.repeat(40)}`, `0x${'d'.repeat(40)}`] as const
  const second = { ...base.versions['1.0.0']!, quoter, router: secondRouter }
  const both = Registry.from(
    {
      schema: 1,
      chains: {
        ...chains,
        '8453': { ...base, versions: { ...base.versions, '2.0.0': second } },
      },
    },
    [8_453, 42_161],
  )
  const read = (changes: Record<string, unknown>) =>
    parseQuoteRequest(both, givenFromItem({ ...good, ...changes })).chain

  test.each([
    [undefined, '1.0.0', router],
    ['1', '1.0.0', router],
    ['1.0.0', '1.0.0', router],
    ['2', '2.0.0', secondRouter],
    ['2.0.0', '2.0.0', secondRouter],
    [2, '2.0.0', secondRouter],
  ])('default: %j is %s', (version, expected, address) => {
    const chain = read(version === undefined ? {} : { version })
    expect(chain.version).toBe(expected)
    expect(chain.contracts.router.toLowerCase()).toBe(address.toLowerCase())
  })

  test.each(['', '0', '3', '2.0', '02', ' 2', '2.0.0.', 'constructor', '__proto__', true, 2.5])(
    'error: %j is not a version',
    (version) => {
      expect(failure(() => read({ version }))).toEqual({ code: 'bad_version', fields: ['version'] })
    },
  )

  test('error: a version that is not deployed on the chain, with a list of those that are', () => {
    expect(() => read({ chain: 'arbitrum', version: '2' })).toThrow(
      '`version` is not deployed on Arbitrum; send one of 1.0.0.',
    )
  })

  test('error: a contract of any generation as the recipient', () => {
    const { hub, router: firstRouter } = base.versions['1.0.0']!
    for (const version of ['1', '2'])
      for (const recipient of [secondRouter, firstRouter, quoter, hub])
        expect(failure(() => read({ version, recipient }))).toEqual({
          code: 'bad_recipient',
          fields: ['recipient'],
        })
  })
})
