import { describe, expect, test } from 'vitest'
import { corpus } from '../../test/corpus.js'
import { classify } from './classify.js'

describe('classify', () => {
  test.each(corpus)('default: %s: %i %s is %s', (_, code, message, failure) => {
    expect(classify({ code, message })).toBe(failure)
  })

  test.each([{}, { code: '3' }, { code: null, message: 7 }, { message: ['revert'] }])(
    'error: %j is a fault of the node',
    (error) => {
      expect(classify(error)).toBe('server')
    },
  )
})
