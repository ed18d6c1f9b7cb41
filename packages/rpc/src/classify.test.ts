import { describe, expect, test } from 'vitest'
import { captures } from '../test/captures.js'
import { corpus } from '../test/corpus.js'
import { classify } from './classify.js'

describe('classify', () => {
  test.each(captures)('default: %s: %s: %s %s is %s', (_, __, code, message, failure) => {
    expect(classify({ code, message })).toBe(failure)
  })

  test('default: has at least sixty errors captured from real nodes, each with its source', () => {
    expect(captures.length).toBeGreaterThanOrEqual(60)
    for (const [source] of captures) expect(source).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/)
    expect(new Set(captures.map(([, from]) => from)).size).toBeGreaterThanOrEqual(15)
  })

  test.each(corpus)('default: %s: %i %s is %s', (_, code, message, failure) => {
    expect(classify({ code, message })).toBe(failure)
  })

  test.each([{}, { code: '3' }, { code: null, message: 7 }, { message: ['revert'] }])(
    'error: %j is a server error of the node',
    (error) => {
      expect(classify(error)).toBe('server')
    },
  )
})
