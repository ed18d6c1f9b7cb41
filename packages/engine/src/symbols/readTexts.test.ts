import { encodeAbiParameters, type Hex, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { textOf } from './readTexts.js'

/** A read as returned by the Lens: the first three words, and the size. */
function answerOf(data: Hex) {
  const size = BigInt((data.length - 2) / 2)
  const padded = data.slice(2).padEnd(192, '0')
  const word = (place: number): Hex => `0x${padded.slice(64 * place, 64 * place + 64)}`
  return { ok: true, size, words: [word(0), word(1), word(2)] as const }
}

const text = (value: string) => answerOf(encodeAbiParameters([{ type: 'string' }], [value]))
const bytes32 = (value: string) => answerOf(stringToHex(value, { size: 32 }))

test.each([
  ['a string', text('AERO'), 'AERO'],
  ['an empty string', text(''), ''],
  ['32 bytes of old tokens', bytes32('MKR'), 'MKR'],
  ['32 bytes, all of them', bytes32('A'.repeat(32)), 'A'.repeat(32)],
  ['32 bytes that end in p', bytes32('Pp'), 'Pp'],
  ['a long string, as far as it was copied', text('B'.repeat(50)), 'B'.repeat(32)],
  ['a string in another script', text('\u0423\u0421'), '\u0423\u0421'],
])('default: %s', (_, answer, expected) => {
  expect(textOf(answer)).toBe(expected)
})

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

test.each([
  ['a revert', { ...text('AERO'), ok: false }],
  ['no answer', undefined],
  ['no data', answerOf('0x')],
  ['a string at another offset', answerOf(`${word(64n)}${word(4n).slice(2)}${'41'.repeat(32)}`)],
  [
    'a string longer than the return data',
    answerOf(`${word(32n)}${word(33n).slice(2)}${'41'.repeat(32)}`),
  ],
  ['a string of a megabyte', { ...text('A'.repeat(1_000_000)) }],
  ['bytes that are not UTF-8', answerOf(`${word(32n)}${word(2n).slice(2)}ff00${'00'.repeat(30)}`)],
])('error: %s is unknown', (_, answer) => {
  expect(textOf(answer)).toBeUndefined()
})
