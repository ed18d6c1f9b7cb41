import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage } from './launch.js'

export { type Site, startSite } from './startSite.js'
export { openPage }

/** The one button of the form. */
export const primary = (page: Page) => page.locator('.swapcard .primary')
/** Primary button of the open dialog. */
export const inSheet = (page: Page) => page.locator('dialog .primary')

/** Waits until the button of the form says so, and can be pressed. */
export async function ready(page: Page, words: string): Promise<void> {
  await expect.poll(() => primary(page).textContent()).toBe(words)
  await expect.poll(() => primary(page).isEnabled()).toBe(true)
}

/** What stands in the way of readers, by axe-core's rules, once all colors have changed. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ).then(() => undefined),
  )
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { run } = (window as never as { axe: typeof axe }).axe
    const { violations: list } = await run(document, { resultTypes: ['violations'] })
    return list.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
  })
  return found
}

/** Opens a further page beside another. */
export async function beside(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}
