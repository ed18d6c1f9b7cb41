import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPage, type Site, startSite } from './site.js'

let site: Site

beforeAll(async () => {
  site = await startSite([8453])
})

afterAll(() => site?.stop())

const screens = [
  ['a laptop', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const

/** What cannot be read of a drawing as the browser has made it: small letters, and words over words or boxes. */
function problemsOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((where) => {
    const problems: string[] = []
    const svg = [...document.querySelectorAll<SVGSVGElement>(where)].find((each) =>
      each.checkVisibility(),
    )!
    const words = [...svg.querySelectorAll<SVGTextContentElement>('text tspan[x]')]
    const boxes = [...svg.querySelectorAll('rect')]
    if (words.length === 0 || boxes.length < 2) problems.push('nothing is drawn')
    for (const text of svg.querySelectorAll('text')) {
      const size = Number.parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM()!.a
      if (size < 12) problems.push(`${text.textContent} is ${size} pixels high`)
    }
    const frame = svg.getBoundingClientRect()
    const places = [...words, ...boxes].map((each) => {
      const { bottom, left, right, top } = each.getBoundingClientRect()
      return { name: each.textContent || 'a token', bottom, left, right, top: top + 2 }
    })
    for (const [index, one] of places.entries()) {
      if (one.left < frame.left - 1 || one.right > frame.right + 1)
        problems.push(`${one.name} is cut off`)
      for (const other of places.slice(index + 1))
        if (
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom - 2 &&
          other.top < one.bottom - 2
        )
          problems.push(`${one.name} over ${other.name}`)
    }
    if (document.documentElement.scrollWidth > innerWidth) problems.push('the page scrolls aside')
    const room = svg.parentElement!.clientWidth
    if (frame.width > room + 1) problems.push(`${frame.width} pixels wide in ${room}`)
    return problems
  }, selector)
}

/** Routes of one, two and three hops, split and not. */
const trades = [
  'in=SLU&out=USDC&amount=100000',
  'in=SLU&out=USDC&amount=9000000',
  'in=DAI&out=SLU&amount=250000',
  'in=ETH&out=USDC&amount=2.5',
  'in=USDC&out=WETH&amount=4000000',
]

describe('the drawing of a route', () => {
  test.each(screens)('default: can be read on %s', async (_, viewport) => {
    const { close, page } = await openPage(site.browser, { viewport })
    let deepest = 0
    for (const trade of trades) {
      await page.goto(`${site.url}/?chain=base&${trade}`)
      await page.locator('.drawing svg').waitFor()
      await expect.poll(() => page.locator('.drawing svg').getAttribute('width')).not.toBe('0')
      expect([trade, await problemsOf(page, '.drawing svg')]).toEqual([trade, []])
      const depth = await page.locator('#route-title + .hint').textContent()
      deepest = Math.max(deepest, Number(depth!.match(/(\d+) deep/)![1]))
    }
    expect(deepest).toBe(3)
    await close()
  })

  test.each(screens)('behavior: so can the picture of the service on %s', async (_, viewport) => {
    const { close, page } = await openPage(site.browser, { viewport })
    const trade = `chain=base&in=SLU&out=USDC&amountIn=${10n ** 23n}&width=${viewport.width}`
    const text = await (await fetch(`${site.url}/api/quote/route.svg?${trade}`)).text()
    await page.setContent(`<body style="margin:0">${text}</body>`)
    expect(await problemsOf(page, 'svg')).toEqual([])
    await close()
  })
})
