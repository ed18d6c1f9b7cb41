import type { Devnet } from '@sluice/devnet'
import type { Page } from 'playwright-core'
import { erc20Abi, getAddress } from 'viem'
import { expect } from 'vitest'
import { clientOf } from '../../../packages/devnet/test/clients.js'
import { installWallet, type ScriptedWallet } from './scriptedWallet.js'
import { inSheet, openPage, primary, ready, type Site } from './site.js'

/** The steps of a swap, as a reader takes them. */

export type OpenOptions = Parameters<typeof installWallet>[2] & {
  setUp?: (wallet: ScriptedWallet, page: Page) => unknown
}

/** The page with a wallet in it, on a trade. */
export async function openTrade(site: Site, query: string, options: OpenOptions = {}) {
  const opened = await openPage(site.browser)
  const wallet = await installWallet(opened.page, site.devnet, options)
  await options.setUp?.(wallet, opened.page)
  await opened.page.goto(`${site.url}/?${query}`)
  return { ...opened, wallet }
}

export async function connect(page: Page): Promise<void> {
  await ready(page, 'Connect wallet')
  await primary(page).click()
}

/** Confirms the review in a wallet whose owner declines. */
export async function decline(page: Page, wallet: ScriptedWallet): Promise<void> {
  wallet.answering = 'decline'
  await inSheet(page).click()
  await page.locator('dialog .note.bad').waitFor()
  expect(await page.locator('dialog .note.bad').textContent()).toBe(
    'You declined it in your wallet. Nothing was sent.',
  )
}

/** From "Review swap" to the receipt; gives what the receipt says. */
export async function finish(page: Page) {
  await primary(page).click()
  return await confirm(page)
}

/** From the open review to the receipt; gives what the receipt says. */
export async function confirm(page: Page) {
  await inSheet(page).click()
  await page.locator('dialog h2', { hasText: 'Swapped' }).waitFor()
  const facts = await page.locator('dialog .facts-list > div').allTextContents()
  const of = (name: string) => facts.find((each) => each.startsWith(name))!.slice(name.length)
  return { paid: of('You paid'), quoted: of('Quoted'), delivered: of('Delivered') }
}

/** What an account holds of a token, in base units. */
export function heldOn(
  { chains }: Devnet,
  chainId: number,
  token: string,
  account: string,
): Promise<bigint> {
  const chain = chains.find((each) => each.chainId === chainId)!
  const call = { address: getAddress(token), abi: erc20Abi, functionName: 'balanceOf' } as const
  return clientOf(chain).readContract({ ...call, args: [getAddress(account)] })
}
