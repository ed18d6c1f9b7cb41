import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { html } from './html.js'

describe('html', () => {
  test('default: escapes values, and keeps markup of its own', () => {
    const inner = html`<b>${'<i>'}</b>`
    expect(
      html`<p title="${'"x\'`='}">${inner}${[1, 2n, '&']}${undefined}${false}</p>`.markup,
    ).toBe('<p title="&quot;x&#39;&#96;&#61;"><b>&lt;i&gt;</b>12&amp;</p>')
  })

  test('behavior: replaces characters that HTML does not allow', () => {
    expect(html`${'a\0b\u007fc\ud800d\te\nf'}`.markup).toBe('a\ufffdb\ufffdc\ufffdd\te\nf')
  })

  test('property: no text opens a tag, an attribute or an entity', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { markup } = html`${text}`
        expect(markup).not.toMatch(/[<>"'`=]/)
        expect(markup.replace(/&(amp|lt|gt|quot|#39|#96|#61);/g, '')).not.toContain('&')
      }),
    )
  })
})
