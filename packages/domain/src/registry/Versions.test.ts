import { describe, expect, test } from 'vitest'
import * as Versions from './Versions.js'

describe('Versions.find', () => {
  test.each([
    ['1', '1.0.0'],
    ['1.0.0', '1.0.0'],
    ['2', '2.0.0'],
    ['2.0.0', '2.0.0'],
  ])('default: %s is %s', (text, version) => {
    expect(Versions.find(text)).toBe(version)
  })

  test.each(['', '0', '3', '2.0', '2.0.1', '02', ' 2', 'v2', '2.0.0.0', '1.', 'constructor'])(
    'error: %j is not a version',
    (text) => {
      expect(Versions.find(text)).toBeUndefined()
    },
  )
})
