import { describe, expect, test } from 'vitest'
import * as Addresses from './Addresses.js'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

describe('Addresses.parse', () => {
  test.each([
    ['the checksum', usdc],
    ['lower case', usdc.toLowerCase()],
    ['upper case digits', `0x${usdc.slice(2).toUpperCase()}`],
  ])('default: accepts %s', (_, text) => {
    expect(Addresses.parse(text)).toEqual({ ok: true, address: usdc })
  })

  test.each([
    ['one letter in the wrong case', usdc.replace('fC', 'fc')],
    ['all cases swapped', `0x${[...usdc.slice(2)].map(swapCase).join('')}`],
  ])('error: %s is a wrong checksum', (_, text) => {
    expect(Addresses.parse(text)).toEqual({
      ok: false,
      reason: 'has a wrong EIP-55 checksum; check it for a typing error',
    })
  })

  test.each([
    '',
    '0x',
    usdc.slice(0, -1),
    `${usdc}0`,
    usdc.slice(2),
    `0X${usdc.slice(2)}`,
    ` ${usdc}`,
    `${usdc}\n`,
    usdc.replace('8', 'g'),
    usdc.replace('8', '８'),
  ])('error: %j is malformed', (text) => {
    expect(Addresses.parse(text)).toEqual({
      ok: false,
      reason: 'must be 0x and 40 hexadecimal digits',
    })
  })
})

function swapCase(char: string): string {
  return char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
}
