import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Texts } from '../index.js'

describe('Texts.visible', () => {
  test.each([
    ['USD Coin', 'USD Coin'],
    ['Ångström 東京', 'Ångström 東京'],
    ['a\u202ecod', 'a\\u{202e}cod'],
    ['USD\u200bC', 'USD\\u{200b}C'],
    ['\u{e0041}', '\\u{e0041}'],
    ['a\nb\u0000', 'a\\u{a}b\\u{0}'],
    ['\ud800', '\\u{d800}'],
    ['<b>', '<b>'],
  ])('default: %j is shown as %j', (text, shown) => {
    expect(Texts.visible(text)).toBe(shown)
  })

  test('behavior: cuts long texts, and shows stacked marks as code points', () => {
    expect(Texts.visible('x'.repeat(500))).toBe(`${'x'.repeat(Texts.maxNameLength - 1)}…`)
    expect(Texts.visible(`e${'\u0301'.repeat(4)}`, 99)).toBe('e\u0301\u0301\\u{301}\\u{301}')
  })

  test('property: removes every invisible and direction-changing character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const shown = Texts.visible(text)
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/u)
        expect([...shown].length).toBeLessThanOrEqual(Texts.maxNameLength)
      }),
    )
  })
})
