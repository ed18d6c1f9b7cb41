import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registry, router, tokens } from '../../domain/test/deployments.js'
import { parseQuoteRequest } from './parseQuoteRequest.js'
import { rawFromQuery } from './rawParameters.js'
import { readPlainQuery } from './readPlainQuery.js'

const plain = 'chain=base&in=WETH&out=USDC&amountIn=1000000'
const recipient = '0x00000000000000000000000000000000000a11ce'

function bySchema(query: string) {
  const { raw, repeated } = rawFromQuery(new URLSearchParams(query))
  return parseQuoteRequest(registry, raw, { alreadyWrong: repeated })
}

const oneOf = (...values: string[]) => fc.constantFrom(...values)
const noise = fc.string({ maxLength: 6, unit: fc.constantFrom(...'0x1aF%2+&= -') })
const token = fc.oneof(
  oneOf('ETH', 'WETH', 'USDC', 'SLU', 'weth', 'eTh', 'DAI', '', '0x', 'ETH%20', '+ETH'),
  oneOf(...Object.values(tokens), tokens.weth.toUpperCase(), `0x${'0'.repeat(40)}`),
  oneOf(tokens.usdc.toLowerCase(), tokens.usdc.replace('A', 'a'), `0x${'e'.repeat(40)}`),
  noise,
)
const values: Record<string, fc.Arbitrary<string>> = {
  chain: fc.oneof(
    oneOf('base', '8453', 'arbitrum', '42161', '31337', 'eth', 'Base', '08453'),
    noise,
  ),
  in: token,
  out: token,
  amountIn: fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 78n }).map(String),
    oneOf('0', '00', '01'),
    noise,
  ),
  recipient: fc.oneof(oneOf(recipient, router, tokens.weth, `0x${'0'.repeat(40)}`), noise),
  slippageBps: fc.oneof(oneOf('0', '50', '5000', '5001', '0050', '00050'), noise),
  deadlineSec: fc.oneof(oneOf('10', '9', '3600', '3601', '0120'), noise),
  exact: oneOf('1', '0', ''),
  gasPrice: oneOf('1', 'x'),
  connectors: oneOf(tokens.dai, ''),
  other: noise,
}
/** Mostly what is asked for, in any order, some of it missing, twice or wrong. */
const query = fc
  .array(
    fc
      .constantFrom(...Object.keys(values), 'chain', 'in', 'out', 'amountIn')
      .chain((name) => values[name]!.map((value) => `${name}=${value}`)),
    { maxLength: 6 },
  )
  .chain((parts) =>
    fc
      .shuffledSubarray([...plain.split('&'), ...parts], { minLength: 3 })
      .map((all) => all.join('&')),
  )

describe('readPlainQuery', () => {
  test('default: a plain quote, with and without what is optional', () => {
    for (const given of [
      plain,
      `${plain}&recipient=${recipient}&slippageBps=50&deadlineSec=60`,
      `amountIn=1&out=${tokens.dai}&in=ETH&chain=8453`,
    ])
      expect(readPlainQuery(registry, given)).toEqual(bySchema(given))
  })

  test('property: what it reads, the schema reads alike; what the schema refuses, it does not read', () => {
    let read = 0
    fc.assert(
      fc.property(query, (given) => {
        const quick = readPlainQuery(registry, given)
        if (quick === undefined) return
        read++
        expect(quick).toStrictEqual(bySchema(given))
      }),
      { numRuns: 20_000, seed: 5 },
    )
    expect(read).toBeGreaterThan(500)
  })
})
