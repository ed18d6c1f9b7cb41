import { type Devnet, startDevnet } from '@sluice/devnet'
import { type ServerConfig, startServer } from '@sluice/server'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
// @ts-expect-error plain Node, without types
import { buildWebIfNeeded } from '../../../tools/build-web.mjs'
import { launch, openPage } from './launch.js'

/** A devnet, the service on it, and a browser. */
export type Site = {
  readonly devnet: Devnet
  readonly url: string
  readonly browser: Browser
  readonly serve: (changes?: Partial<ServerConfig>) => Promise<string>
  readonly stop: () => Promise<void>
}

export async function startSite(chainIds: readonly number[]): Promise<Site> {
  await buildWebIfNeeded()
  const devnet = await startDevnet({ port: 0, chainIds: [...chainIds] })
  const stops: (() => Promise<void>)[] = []
  const serve = async (changes: Partial<ServerConfig> = {}) => {
    const server = await startServer({
      port: 0,
      deployments: devnet.deployments,
      rpcUrls: new Map(devnet.chains.map((chain) => [chain.chainId, [chain.rpcUrl]])),
      tokenLists: devnet.chains.flatMap(({ chainId, tokens }) =>
        Object.entries(tokens).map(([symbol, token]) => ({
          chainId,
          symbol,
          name: symbol,
          ...token,
        })),
      ),
      logLevel: 'silent',
      maxBlockAge: 'off',
      maxLoopDelayMs: 0,
      publishRpc: true,
      ...changes,
    })
    stops.push(server.stop)
    return server.url
  }
  const url = await serve()
  const browser = await launch()
  return {
    devnet,
    url,
    browser,
    serve,
    async stop() {
      await browser.close()
      for (const stop of stops) await stop()
      await devnet.stop()
    },
  }
}

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

/** What stands in the way of readers, by axe-core's rules. */
export async function violations(page: Page): Promise<string[]> {
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
