import { describe, expect, test } from 'vitest'
import { isJson } from './readBody.js'

describe('isJson', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json ; charset="UTF-8" ',
    'application/json;',
  ])('default: %j is', (type) => {
    expect(isJson(type)).toBe(true)
  })

  test.each([
    '',
    'text/json',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json;;',
    'application/json, application/json',
    '; application/json',
  ])('behavior: %j is not', (type) => {
    expect(isJson(type)).toBe(false)
  })

  test('behavior: many blanks take linear time', () => {
    // A pattern that backtracks would take minutes.
    const blanks = ' '.repeat(1_000_000)
    for (const type of [`application/json${blanks}x`, `application/json${blanks};${blanks}x`])
      expect(isJson(type)).toBe(false)
  })
})
