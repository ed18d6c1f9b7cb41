import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export { launch } from './chromium.js'

/** A page that keeps what a browser complains about: errors, warnings, and what its policy forbade. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[]; close: () => Promise<void> }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => {
    // Streams are left on purpose when the trade changes.
    if (!request.url().includes('/api/quote/stream')) complaints.push(`failed: ${request.url()}`)
  })
  return { page, complaints, close: () => context.close() }
}

/**
 * What a reader with poor sight or without a mouse would miss, checked in the page: names, landmarks, and texts whose
 * contrast is below WCAG's AA.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const problems: string[] = []
    const count = (selector: string) => document.querySelectorAll(selector).length
    if (document.documentElement.lang === '') problems.push('the page has no language')
    for (const [selector, name] of [
      ['h1', 'first heading'],
      ['main', 'main part'],
      ['header', 'header'],
      ['footer', 'footer'],
      ['nav[aria-label]', 'named navigation'],
    ])
      if (count(selector!) !== 1) problems.push(`${count(selector!)} times a ${name}`)
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    if (new Set(ids).size !== ids.length) problems.push('an id is there twice')
    for (const field of document.querySelectorAll<HTMLInputElement>('input, select'))
      if (!field.labels?.length) problems.push(`${field.name || field.id} has no label`)
    for (const button of document.querySelectorAll('button, a'))
      if (!button.textContent?.trim() && !button.getAttribute('aria-label'))
        problems.push(`${button.outerHTML.slice(0, 80)} has no name`)

    const channels = (color: string) => color.match(/[\d.]+/g)!.map(Number)
    const luminance = (color: string) => {
      const [r, g, b] = channels(color).map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
    }
    const backgroundOf = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      return (channels(backgroundColor)[3] ?? 1) === 0
        ? backgroundOf(element.parentElement)
        : backgroundColor
    }
    for (const element of document.querySelectorAll('body *')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
      if (!hasText || element.closest('svg, noscript, .skip')) continue
      if (!element.checkVisibility()) continue
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      const size = Number.parseFloat(fontSize)
      const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700)
      const [a, b] = [luminance(color), luminance(backgroundOf(element))]
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
      if (ratio < (isLarge ? 3 : 4.5))
        problems.push(`contrast ${ratio.toFixed(2)}: ${element.textContent!.trim().slice(0, 40)}`)
    }
    return problems
  })
}

/** Phones and desks, by day and by night. */
export const appearances = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { name: `desktop, ${colorScheme}`, colorScheme, viewport: { width: 1280, height: 900 } },
  { name: `phone, ${colorScheme}`, colorScheme, viewport: { width: 360, height: 740 } },
])
