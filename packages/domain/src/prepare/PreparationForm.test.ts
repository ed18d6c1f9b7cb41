import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registry } from '../../test/deployments.js'
import type { ServedChain } from '../registry/ServedChain.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Preparation from './Preparation.js'
import * as PreparationForm from './PreparationForm.js'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
const code = fc.constantFrom('0x6001', '0x', `0x${'60'.repeat(60_000)}`) as fc.Arbitrary<'0x'>
const override = fc.dictionary(address, fc.record({ code, state: fc.constant({ '0x01': '0x02' }) }))
const chain = fc
  .tuple(fc.constantFrom(...registry.values()), fc.option(override, { nil: undefined }))
  .map(([served, stateOverride]) => {
    return (stateOverride === undefined ? served : { ...served, stateOverride }) as ServedChain
  })
const token = fc.record({ address, isNative: fc.boolean() })
const amount = fc.bigInt({ min: 1n, max: 10n ** 77n })
const request = fc.record({
  chain,
  tokenIn: token,
  tokenOut: token,
  amountIn: amount,
  recipient: fc.option(address, { nil: undefined }),
  slippageBps: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
  deadlineSec: fc.integer({ min: 10, max: 3_600 }),
  isExact: fc.boolean(),
  gasPrice: fc.bigInt({ min: 0n, max: 10n ** 29n }),
  connectors: fc.array(address, { maxLength: 4 }),
}) as fc.Arbitrary<QuoteRequest>
const time = fc.integer({ min: 0, max: 2 ** 45 })
const options = fc.record(
  {
    id: fc.integer({ min: 0, max: 31 }),
    rpcUrl: fc.constantFrom('http://127.0.0.1:8545', 'https://x.example/?a="b"&c=\\'),
  },
  { requiredKeys: [] },
)

describe('PreparationForm.fill', () => {
  test('property: the JSON of what is prepared, whatever amount the form was made for', () => {
    fc.assert(
      fc.property(request, options, amount, time, (given, chosen, amountIn, preparedAt) => {
        const form = PreparationForm.of(given, chosen)
        const prepared = Preparation.from({ ...given, amountIn }, { ...chosen, preparedAt })
        expect(PreparationForm.fill(form, { amountIn, preparedAt })).toBe(JSON.stringify(prepared))
        const mac = `0x${'5a'.repeat(32)}`
        const signed = { ...prepared, request: { ...prepared.request, mac } }
        const text = PreparationForm.fill(form, { amountIn, preparedAt, macOf: () => mac })
        expect(text).toBe(JSON.stringify(signed))
      }),
      { numRuns: 300, seed: 3 },
    )
  })
})
