import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanJson } from './scanJson.js'

describe('scanJson', () => {
  test.each([
    '{}',
    '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
    '{"a":"b","b":"a"}',
    '["a","a"]',
    '{"a":["a","a"],"b":"}{,:\\""}',
    '[[[[[[[[]]]]]]]]',
  ])('default: accepts %s', (text) => {
    expect(scanJson(text)).toBeUndefined()
  })

  test.each(['[[[[[[[[[]]]]]]]]]', `${'{"a":'.repeat(9)}1`, '['.repeat(65_536)])(
    'error: more than 8 levels',
    (text) => {
      expect(scanJson(text)).toBe('is nested more than 8 levels deep')
    },
  )

  test.each([
    '{"a":1,"a":2}',
    '{"a":1, "b":[], "a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"a":{},"b":0,\n"a":1}]}',
  ])('error: %s names "a" twice', (text) => {
    expect(scanJson(text)).toBe('names the member "a" twice')
  })

  test('property: accepts the JSON of every shallow value', () => {
    const value = fc.jsonValue({ maxDepth: 6 })
    fc.assert(fc.property(value, (json) => scanJson(JSON.stringify(json)) === undefined))
  })

  test('property: terminates for any text without throwing', () => {
    const text = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ua1 ') })
    fc.assert(fc.property(text, (any) => ['string', 'undefined'].includes(typeof scanJson(any))))
  })
})
