import { describe, expect, test } from 'vitest'
import { ApiError } from './ApiError.js'
import { parseBatch, parsePrepareBatch } from './parseBatch.js'

function codeOf(text: string): string {
  try {
    parseBatch(text)
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'none'
}

describe('parseBatch', () => {
  test('default: returns the requests without validating them', () => {
    expect(parseBatch('{"requests":[{"chain":1},null,"x"]}')).toEqual([{ chain: 1 }, null, 'x'])
  })

  test.each([
    '',
    'null',
    '1',
    '"x"',
    '[]',
    '[{}]',
    '{"requests":[}',
    '{requests:[]}',
    "{'requests':[]}",
    '{"requests":[{}],}',
    '{"requests":[{}]} {}',
    '{"requests":[{}],"requests":[{}]}',
    '{"requests":[[[[[[[[[1]]]]]]]]]}',
    'requests=[]',
    '\u0000',
  ])('error: %j is not a JSON object', (text) => {
    expect(codeOf(text)).toBe('bad_body')
  })

  test.each([
    '{}',
    '{"requests":null}',
    '{"requests":{}}',
    '{"requests":"x"}',
    '{"requests":[]}',
    `{"requests":[${Array(11).fill('{}').join()}]}`,
    '{"requests":[{}],"more":1}',
    '{"Requests":[{}]}',
    '{"__proto__":{"requests":[{}]}}',
  ])('error: %s is not a batch', (text) => {
    expect(codeOf(text)).toBe('bad_batch')
  })

  test('behavior: accepts ten requests', () => {
    expect(parseBatch(`{"requests":[${Array(10).fill('{}').join()}]}`)).toHaveLength(10)
  })

  test('error: the message names the invalid member', () => {
    expect(() => parseBatch('{"requests":[],"more":1}')).toThrow(
      '`requests` must hold at least one request.',
    )
  })
})

describe('parsePrepareBatch', () => {
  const parse = (rest: string) => parsePrepareBatch(`{"requests":[null]${rest}}`)

  test('default: calls share their state overrides', () => {
    expect(parse('')).toEqual({ requests: [null], overrides: 'shared' })
    expect(parse(',"overrides":"inline"')).toEqual({ requests: [null], overrides: 'inline' })
  })

  test('behavior: accepts 32 requests', () => {
    const text = (count: number) => `{"requests":[${Array(count).fill('{}').join()}]}`
    expect(parsePrepareBatch(text(32)).requests).toHaveLength(32)
    expect(() => parsePrepareBatch(text(33))).toThrow('`requests` must hold at most 32 requests.')
  })

  test('error: an unknown value of `overrides`', () => {
    expect(() => parse(',"overrides":"none"')).toThrow('`overrides` must be `shared` or `inline`.')
  })
})
