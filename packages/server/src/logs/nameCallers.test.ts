import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { nameCallers } from './nameCallers.js'

const address = '192.0.2.1'

test('default: `address` returns the address', () => {
  expect(nameCallers('address', undefined)(address)).toBe(address)
})

test('behavior: `off` returns nothing', () => {
  expect(nameCallers('off', 'a key of 16 signs')(address)).toBeUndefined()
})

test('behavior: hashes differ between callers and agree between processes with the same key', () => {
  const key = 'a key of 16 signs'
  const [one, other] = [nameCallers('hash', key), nameCallers('hash', key)]
  const expected = createHmac('sha256', key).update(address).digest('base64url').slice(0, 16)
  expect([one(address), one(address), other(address)]).toEqual([expected, expected, expected])
  expect(one('192.0.2.2')).not.toBe(expected)
  expect(nameCallers('hash', 'another key of 16')(address)).not.toBe(expected)
})

test('behavior: without a key the hash is different at each start', () => {
  const [one, other] = [nameCallers('hash', undefined), nameCallers('hash', undefined)]
  expect(one(address)).toMatch(/^[\w-]{16}$/)
  expect(one(address)).toBe(one(address))
  expect(one(address)).not.toBe(other(address))
  expect(one(address)).not.toBe(createHmac('sha256', '').update(address).digest('base64url'))
})

test('behavior: a caller evicted from the cache gets the same name again', () => {
  const nameOf = nameCallers('hash', undefined)
  const before = nameOf(address)
  for (let count = 0; count < 10_001; count++) nameOf(`10.0.${count >> 8}.${count & 255}`)
  expect(nameOf(address)).toBe(before)
})
