/**
 * `npm run pictures -- FOLDER [STATE …]`: takes a picture of every state of the pages, on a desktop, a phone and a wide
 * screen, by day and by night, for people to look at. Names: `STATE-desktop-light.png`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openPage } from './launch.js'
import { installWallet, rpc, type ScriptedWallet } from './scriptedWallet.js'
import { type Site, startSite } from './startSite.js'

type Act = (page: Page, wallet: ScriptedWallet, site: Site) => Promise<void>
type State = {
  query?: string
  path?: string
  wallet?: Parameters<typeof installWallet>[2] | null
  setUp?: (page: Page) => Promise<void>
  from?: () => Promise<string>
  act?: Act
}

const button = (page: Page, words: string | RegExp) =>
  page.locator('.swapcard .primary', { hasText: words }).waitFor()
const press = (page: Page) => page.locator('.swapcard .primary').click()
const confirm = (page: Page) => page.locator('dialog .primary').click()
const sheet = (page: Page, title: string) => page.locator('dialog h2', { hasText: title }).waitFor()

async function connect(page: Page): Promise<void> {
  await button(page, 'Connect wallet')
  await press(page)
}

async function toReview(page: Page): Promise<void> {
  await connect(page)
  await button(page, 'Review swap')
  await press(page)
  await sheet(page, 'Review your swap')
}

const native = 'chain=base&in=ETH&out=USDC&amount=2.5'

/** Stops the chain from mining, so that the transaction stays pending. */
async function pending(page: Page, _: ScriptedWallet, { devnet }: Site): Promise<void> {
  const url = devnet.chains[0]!.rpcUrl
  await toReview(page)
  await rpc(url, 'evm_setAutomine', [false])
  await confirm(page)
  await sheet(page, 'On its way')
}

async function done(page: Page): Promise<void> {
  await toReview(page)
  await confirm(page)
  await sheet(page, 'Swapped')
}

/** A service that says one unit more than its own block. */
async function lie(page: Page): Promise<void> {
  await page.route('**/api/quote/stream?**', async (route) => {
    const body = await (await fetch(route.request().url().replace('/stream', ''))).text()
    const { amountOut } = JSON.parse(body) as { amountOut?: string }
    if (amountOut === undefined) return await route.abort()
    const data = body.replaceAll(`"${amountOut}"`, `"${BigInt(amountOut) + 2_000_000n}"`)
    await route.fulfill({
      contentType: 'text/event-stream',
      body: `event: quote\nid: 1\ndata: ${data}\n\nevent: end\ndata: {}\n\n`,
    })
  })
}

const swapStates: Record<string, State> = {
  disconnected: { query: 'chain=base&in=SLU&out=USDC&amount=100000', wallet: null },
  'wrong-chain': {
    query: native,
    wallet: { chainId: 42161 },
    act: async (page) => {
      await connect(page)
      await button(page, 'Switch to Base')
    },
  },
  'unknown-token': {
    query: 'chain=base&in=NOSUCH&out=USDC&amount=1',
    act: (page) => page.locator('.note.bad').waitFor(),
  },
  insufficient: {
    query: 'chain=base&in=USDC&out=WETH&amount=900000000',
    act: async (page) => {
      await connect(page)
      await button(page, 'Insufficient')
    },
  },
  approve: {
    query: 'chain=base&in=DAI&out=USDC&amount=1234.5',
    act: async (page) => {
      await connect(page)
      await button(page, /Approve|Sign/)
    },
  },
  'exact-output': { query: 'chain=base&in=SLU&out=USDC&amount=25000&exact=out', act: toReview },
  integrator: {
    query: `${native}&integrator=0x70997970C51812dc3A010C7d01b50e0d17dc79C8&integratorFeeBps=25`,
    act: toReview,
  },
  review: { query: native, act: toReview },
  signing: {
    query: native,
    act: async (page, wallet) => {
      await toReview(page)
      wallet.answering = 'hold'
      await confirm(page)
      await sheet(page, 'Your wallet is open')
    },
  },
  permit: { query: 'chain=base&in=SLU&out=USDC&amount=100000', act: toReview },
  'permit-signing': {
    query: 'chain=base&in=SLU&out=USDC&amount=100000',
    act: async (page, wallet) => {
      await toReview(page)
      wallet.answering = 'hold'
      await confirm(page)
      await sheet(page, 'Your wallet is open')
    },
  },
  pending: { query: native, act: pending },
  done: { query: native, act: done },
  failed: {
    query: native,
    act: async (page, wallet) => {
      await toReview(page)
      wallet.gas = '0x1d4c0'
      await confirm(page)
      await sheet(page, 'It did not happen')
    },
  },
  rejected: {
    query: native,
    act: async (page, wallet) => {
      await toReview(page)
      wallet.answering = 'decline'
      await confirm(page)
      await page.locator('dialog .note.bad').waitFor()
    },
  },
  'high-impact': {
    query: 'chain=base&in=SLU&out=USDC&amount=90000000',
    act: async (page) => {
      await connect(page)
      await button(page, 'Review swap')
      await press(page)
      await sheet(page, 'Review your swap')
    },
  },
  'no-route': {
    query: 'chain=base&in=HALT&out=USDC&amount=100',
    act: async (page) => {
      await connect(page)
      await button(page, 'No route')
    },
  },
  'node-mismatch': {
    query: native,
    setUp: lie,
    act: async (page) => {
      await connect(page)
      await button(page, 'Your node disagrees')
    },
  },
  picker: {
    query: native,
    act: async (page) => {
      await connect(page)
      await button(page, 'Review swap')
      await page.locator('.tokenchip').last().click()
      await page.locator('dialog .tokenlist button').first().waitFor()
    },
  },
  'picker-empty': {
    query: native,
    wallet: null,
    act: async (page) => {
      await page.locator('.tokenchip').last().click()
      await page.locator('dialog input[type=search]').fill('nosuchtoken')
    },
  },
  import: {
    query: native,
    // A service whose list is empty, so that the token is on none.
    from: () => bare(),
    act: async (page, _, { devnet }) => {
      await page.locator('.tokenchip').last().click()
      const { address } = devnet.chains[0]!.tokens['MOSS']!
      await page.locator('dialog input[type=search]').fill(address)
      await page.locator('.import', { hasText: 'moves its price' }).waitFor()
    },
  },
  settings: {
    query: native,
    act: async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click()
      await sheet(page, 'Settings')
    },
  },
  'wallet-chooser': {
    query: native,
    wallet: { isLate: true },
    act: async (page, wallet) => {
      await connect(page)
      await sheet(page, 'Connect a wallet')
      await wallet.announce(page)
      await page.locator('dialog .tokenlist button').waitFor()
    },
  },
  activity: {
    query: native,
    act: async (page) => {
      await done(page)
      await confirm(page)
      await page.getByRole('button', { name: /^Activity/ }).click()
      await page.locator('.activity summary').first().click()
    },
  },
  details: {
    query: 'chain=base&in=SLU&out=USDC&amount=100000',
    wallet: null,
    act: async (page) => {
      await page.locator('#proof summary').first().click()
      await page.locator('#proof .command').first().waitFor()
    },
  },
}

const pageStates: Record<string, State> = Object.fromEntries(
  [
    'stats',
    'xray',
    'guide',
    'errors',
    'errors/no_route',
    'solvency',
    'api-reference',
    'nothing',
  ].map((path) => [path.replace('/', '-'), { path: `/${path}`, wallet: null }]),
)
const states: Record<string, State> = { ...swapStates, ...pageStates }

const looks = [
  ['desktop', { width: 1360, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['wide', { width: 1920, height: 1080 }],
] as const

const [folder = 'pictures', ...only] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const site = await startSite([8453, 42161])
let indexed: string | undefined
let listless: string | undefined
try {
  const names = only.length > 0 ? only : [...Object.keys(states), 'tx']
  for (const name of names)
    for (const [device, viewport] of looks)
      for (const colorScheme of ['light', 'dark'] as const)
        await take(name, `${name}-${device}-${colorScheme}.png`, { viewport, colorScheme })
} finally {
  await site.stop()
}

async function take(
  name: string,
  file: string,
  look: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' },
): Promise<void> {
  const {
    act,
    from,
    path,
    query,
    setUp,
    wallet: options,
  } = states[name] ?? { path: await txPath() }
  const { close, page } = await openPage(site.browser, look)
  try {
    // The compiler of this script marks functions with a helper that the page does not have.
    await page.addInitScript('globalThis.__name = (named) => named')
    await setUp?.(page)
    const wallet =
      options === null ? undefined : await installWallet(page, site.devnet, options ?? {})
    const url = name === 'stats' ? await withIndex() : ((await from?.()) ?? site.url)
    await page.goto(`${url}${path ?? `/?${query}`}`)
    await act?.(page, wallet as ScriptedWallet, site)
    if (query !== undefined && act === undefined) {
      await page.locator('.rateline .badge.good').waitFor()
      await page.locator('.curve .here').waitFor()
    }
    await page.waitForTimeout(700)
    const isWhole = path !== undefined || name === 'disconnected' || name === 'details'
    await page.screenshot({ path: join(folder, file), fullPage: isWhole })
    console.log(file)
  } catch (error) {
    await page.screenshot({ path: join(folder, file) })
    console.error(`${file}: ${String(error).split('\n')[0]}`)
    process.exitCode = 1
  } finally {
    for (const { rpcUrl } of site.devnet.chains) {
      await rpc(rpcUrl, 'evm_setAutomine', [true])
      await rpc(rpcUrl, 'evm_mine', [])
    }
    await close()
  }
}

/** A service with the swap index, once it has counted. */
async function withIndex(): Promise<string> {
  indexed ??= await site.serve({ swapIndex: { path: ':memory:' }, swapIndexMs: 200 })
  for (;;) {
    const { totals } = (await (await fetch(`${indexed}/api/stats`)).json()) as {
      totals: { chainsOk: number }
    }
    if (totals.chainsOk === site.devnet.chains.length) return indexed
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function bare(): Promise<string> {
  listless ??= await site.serve({ tokenLists: [] })
  return listless
}

/** A link to a swap that happened. */
async function txPath(): Promise<string> {
  const { account, chains } = site.devnet
  const trade = 'chain=base&in=ETH&out=USDC&version=2&amountIn=1000000000000000000'
  const query = `${trade}&recipient=${account.address}&sender=${account.address}`
  const answer = await (await fetch(`${site.url}/api/quote?${query}`)).json()
  const { data, to, value } = (answer as { tx: Record<'data' | 'to' | 'value', string> }).tx
  const sent = { from: account.address, to, data, value: `0x${BigInt(value).toString(16)}` }
  const hash = await rpc(chains[0]!.rpcUrl, 'eth_sendTransaction', [{ ...sent, gas: '0x7a1200' }])
  return `/tx/base/${String(hash)}`
}
