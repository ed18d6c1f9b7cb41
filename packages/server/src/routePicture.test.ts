import { describe, expect, test } from 'vitest'
import { planOf } from '../../engine/test/fakeNode.js'
import { ask, quotePath, startService } from '../test/harness.js'

const path = quotePath.replace('/api/quote', '/api/quote/route.svg')

describe('GET /api/quote/route.svg', () => {
  test('default: a picture that can load and run nothing, cached no longer than its quote', async () => {
    const { url } = await startService()
    const [picture, quote] = [await fetch(url + path), await fetch(url + quotePath)]
    expect(picture.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(picture.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'$/,
    )
    expect(picture.headers.get('cache-control')).toMatch(/^public, max-age=0/)
    expect(quote.status).toBe(200)
    const text = await picture.text()
    expect(text.match(/<path class="edge"/g)).toHaveLength(1)
    expect(text.match(/class="name"[^>]*>[^<]+/g)!.map((each) => each.split('>')[1])).toEqual([
      'WETH',
      'USDC',
    ])
    expect(text).toContain('aria-label="WETH to USDC over 1 swap"')
    // The venue has its number for a name until the service has read the Hub.
    expect(wordsOf(text)).toMatch(/^(Fake V3 0\.3 %|Venue 1) 100 %$/)
  })

  test('behavior: flows from top to bottom in little room, in letters of one size', async () => {
    const { url } = await startService()
    const sizes = []
    for (const width of ['', '&width=640', '&width=320']) {
      const text = await (await fetch(url + path + width)).text()
      const [, wide, high] = text.match(/ width="([\d.]+)" height="([\d.]+)"/)!
      sizes.push([Number(wide), Number(high)])
      expect(text).toContain('font-size:12.5px')
    }
    const [usual, wide, narrow] = sizes as [number[], number[], number[]]
    expect(wide).toEqual(usual)
    expect(wide[0]! > wide[1]!).toBe(true)
    expect(narrow[0]! < narrow[1]! && narrow[0]! <= 320).toBe(true)
  })

  test.each(['239', '2001', '1e3', '-5', '', '640&width=640'])(
    'error: refuses a width of %s',
    async (width) => {
      const { url } = await startService()
      const { body, status } = await ask(`${url}${path}&width=${width}`)
      expect([status, body['code']]).toEqual([400, 'bad_param'])
      expect((body['details'] as { field: string }[])[0]!.field).toBe('width')
    },
  )

  test('error: refuses the same requests as a quote', async () => {
    const { node, url } = await startService()
    expect(await ask(`${url}${path}&recipient=0x12`)).toMatchObject({
      status: 400,
      body: { code: 'bad_recipient' },
    })
    node.plan = (asked) => planOf(asked, { verdict: 1 })
    const answers = [
      await ask(`${url}${path}&gasPrice=1`),
      await ask(`${url}${quotePath}&gasPrice=1`),
    ]
    expect(answers[0]!.body['code']).toBe(answers[1]!.body['code'])
    const off = await startService({ quoteRelay: 'off' })
    expect(await ask(off.url + path)).toMatchObject({ status: 400, body: { code: 'rpc_required' } })
  })
})

/** The words on the bands. */
function wordsOf(text: string): string {
  const [, inner] = text.match(/<text class="words">(.*?)<\/text>/)!
  return inner!.replaceAll(/<[^>]+>/g, '').trim()
}
