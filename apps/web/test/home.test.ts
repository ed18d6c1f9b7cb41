import { fileURLToPath } from 'node:url'
import { type Devnet, startDevnet } from '@sluice/devnet'
import { Decimals } from '@sluice/domain'
import { startServer } from '@sluice/server'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { erc20Abi, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../packages/devnet/test/clients.js'
// @ts-expect-error plain Node, without types
import { buildWebIfNeeded } from '../../../tools/build-web.mjs'
import { hostileNames } from './hostile.js'
import { accessibilityProblems, appearances, launch, openPage } from './launch.js'

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>
let browser: Browser
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  await buildWebIfNeeded()
  devnet = await startDevnet({ port: 0, chainIds: [8453, 42161] })
  server = await serve(true)
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  for (const stop of stops) await stop()
  await devnet?.stop()
})

async function serve(publishRpc: boolean, quoteRelay: 'on' | 'off' = 'on') {
  const started = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map((chain) => [chain.chainId, [chain.rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    maxLoopDelayMs: 0,
    publishRpc,
    quoteRelay,
  })
  stops.push(started.stop)
  return started
}

const trade = '?chain=base&in=SLU&out=USDC&amount=100000'
const query = 'chain=base&in=SLU&out=USDC&amountIn=100000000000000000000000'

async function amountOut(of = query): Promise<bigint> {
  const body = (await (await fetch(`${server.url}/api/quote?${of}`)).json()) as {
    amountOut: string
  }
  return BigInt(body.amountOut)
}

async function open(path = trade, options: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage(browser, options)
  await opened.page.goto(`${server.url}/${path}`)
  return opened
}

const headline = (page: Page) => page.locator('.headline').textContent()

describe('a quote', () => {
  test('default: the number of the API, exact units, route and permalink', async () => {
    const { close, complaints, page } = await open()
    expect(await headline(page)).toBe(`${Decimals.toDisplay(await amountOut(), 6)} USDC`)
    expect(await page.textContent('#amount-hint')).toBe(
      '= 100000000000000000000000 base units (18 decimals)',
    )
    const names = await page.locator('dl.numbers dt').allTextContents()
    expect(names).toEqual([
      'Gross output',
      'Protocol fee',
      'Net output',
      'Least you receive',
      'Protocol floor',
      'Price impact',
      'Upper bound',
      'Gap to the bound',
      'Gas',
      'Gas cost',
      'Block',
    ])
    expect(await page.locator('#drawing .token').count()).toBeGreaterThan(1)
    expect(await page.locator('#drawing .edge').count()).toBe(5)
    await page.locator('#amount').fill('1.5')
    await expect.poll(() => new URL(page.url()).search).toContain('amount=1.5')
    expect(complaints).toEqual([])
    await close()
  })

  test.each(appearances)('default: fits and can be read: $name', async ({ name: _, ...look }) => {
    const { close, complaints, page } = await open(trade, look)
    await headline(page)
    expect(await accessibilityProblems(page)).toEqual([])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('behavior: a new block brings a new number', async () => {
    const { close, page } = await open()
    const before = await headline(page)
    const { account, chains } = devnet
    const slu = chains[0]!.tokens['SLU']!.address
    await swapSome(account.address, slu, chains[0]!.rpcUrl)
    await expect.poll(() => headline(page), { timeout: 20_000 }).not.toBe(before)
    await close()
  })

  test('behavior: tabs reach the form, and the first stop skips to the content', async () => {
    const { close, page } = await open()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Skip to the content',
    )
    await close()
  })

  test('behavior: decimals of a stranger are read from the devnet’s node, else units are asked for', async () => {
    const { tokens } = devnet.chains[0]!
    const stranger = Object.values(tokens).find(
      ({ address }) =>
        Decimals.find(8_453, address) === undefined && address !== tokens['SLU']!.address,
    )!
    const path = `?chain=8453&in=${stranger.address}&out=USDC&amount=2`
    const { close, page } = await open(path)
    await expect
      .poll(() => page.textContent('#amount-hint'))
      .toBe(`= ${2n * 10n ** BigInt(stranger.decimals)} base units (${stranger.decimals} decimals)`)
    await close()
    const quiet = await serve(false)
    const other = await openPage(browser)
    await other.page.goto(`${quiet.url}/${path}`)
    await expect
      .poll(() => other.page.textContent('#amount-hint'))
      .toBe('= 2 base units (as written: decimals not known here)')
    await other.close()
  })

  test.each([
    ['amount=1.0000000000000000001', 'This token has 18 decimals; the amount has 19.'],
    ['amount=1,000', 'Write it without separators, with a point: 1234.5.'],
    ['amount=0', 'Write a number above zero.'],
    ['amount=1&out=SLU', '(bad_pair)'],
    [`amount=1&out=0x${'ab'.repeat(20)}`, '(bad_out)'],
    ['amount=1&recipient=0x12', '(bad_recipient)'],
  ])('error: %s', async (changes, words) => {
    const { close, page } = await open(
      `?chain=base&in=SLU&out=USDC&${changes}`.replace(/out=USDC&(.*out=)/, '$1'),
    )
    await expect.poll(() => page.textContent('#state'), { timeout: 15_000 }).toContain(words)
    expect(await page.locator('.headline').count()).toBe(0)
    await close()
  })

  test('behavior: without scripts it says how to ask', async () => {
    const { close, complaints, page } = await open('', { javaScriptEnabled: false })
    expect(await page.textContent('main')).toContain(`curl '${server.url}/api/quote?`)
    expect(await page.locator('#trade').isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await close()
  })

  test('behavior: programs get the pointer', async () => {
    const body = await (await fetch(`${server.url}/`)).json()
    expect(body).toMatchObject({ ok: true, index: '/api' })
  })
})

describe('verify', () => {
  test('default: the reader’s node gives the same number, every check named', async () => {
    const { close, complaints, page } = await open()
    await headline(page)
    await page.getByRole('button', { name: 'Ask my node' }).click()
    await page.locator('#verdict.good').waitFor()
    expect(await page.textContent('#verdict')).toMatch(
      /the same number as the service's, to the wei/,
    )
    const checks = await page.locator('.checks strong').allTextContents()
    expect(checks).toEqual(['bound: ', 'strict: ', 'arithmetic: ', 'witness: '])
    expect(await page.textContent('#commands')).toContain(`${server.url}/api/quote?chain=8453`)
    expect(complaints).toEqual([])
    await close()
  })

  test('behavior: a service that lies about its block is found out', async () => {
    const { close, page } = await openPage(browser)
    const honest = await amountOut()
    await page.route('**/api/quote/stream?**', async (route) => {
      const body = await (await fetch(`${server.url}/api/quote?${query}`)).text()
      const lie = body.replaceAll(`"${honest}"`, `"${honest + 1n}"`)
      await route.fulfill({
        contentType: 'text/event-stream',
        body: `event: quote\nid: 1\ndata: ${lie}\n\nevent: end\ndata: {"reason":"time"}\n\n`,
      })
    })
    await page.goto(`${server.url}/${trade}`)
    await headline(page)
    await page.getByRole('button', { name: 'Ask my node' }).click()
    await page.locator('#verdict.bad').waitFor()
    expect(await page.textContent('#verdict')).toContain('Do not sign it')
    await close()
  })

  test('behavior: a node that lies is found out by the check that names it', async () => {
    const { close, page } = await openPage(browser)
    const { rpcUrl } = devnet.chains[0]!
    await page.route(`${rpcUrl}/**`, async (route) => {
      const body = (await (await route.fetch()).text()).replace(
        /"result":"(0x[0-9a-f]{600})../,
        '"result":"$1ff',
      )
      await route.fulfill({ body, headers: { 'access-control-allow-origin': '*' } })
    })
    await page.goto(`${server.url}/${trade}`)
    await headline(page)
    await page.getByRole('button', { name: 'Ask my node' }).click()
    await page.locator('#verdict.bad').waitFor()
    expect(await page.textContent('#verdict')).toContain('bad_result')
    await close()
  })

  test('behavior: a service that quotes on no node leaves it to the reader’s', async () => {
    const quiet = await serve(true, 'off')
    const { close, page } = await openPage(browser)
    await page.goto(`${quiet.url}/${trade}`)
    await expect.poll(() => page.textContent('#state')).toMatch(/^This service makes no quotes/)
    expect(await page.locator('#state').getAttribute('class')).toBe('outcome unsure')
    await page.getByLabel('Address of your node').fill(devnet.chains[0]!.rpcUrl)
    await page.getByRole('button', { name: 'Ask my node' }).click()
    await page.locator('#verdict.good').waitFor()
    // Prepared calls leave gas out.
    const expected = Decimals.toDisplay(await amountOut(`${query}&gasPrice=0`), 6)
    expect(await page.textContent('#verdict')).toContain(expected)
    // Its quote takes the place of the service's, and is never compared with itself.
    expect(await headline(page)).toBe(`${expected} USDC`)
    expect(await page.textContent('#state')).toMatch(/^Of your own node, at block \d+;/)
    expect(await page.locator('#drawing .edge').count()).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Ask my node' }).click()
    await expect.poll(() => page.textContent('#verdict')).toMatch(/at block \d+\.$/)
    await close()
  })

  test('behavior: an error is told once, in words for people', async () => {
    const { close, page } = await open(`${trade}&slippageBps=6000`)
    await page.locator('#state.bad').waitFor()
    expect(await page.textContent('#state')).toBe(
      'slippageBps must be an integer from 0 to 5000, in digits. (bad_slippage_bps) What bad_slippage_bps means',
    )
    await close()
  })
})

describe('wallet', () => {
  test('default: wrap, approve, sign and send deliver what was quoted', async () => {
    const { account, chains } = devnet
    const [chain] = chains
    const { close, page } = await openPage(browser)
    await page.exposeFunction('askNode', (ask: { method: string; params: unknown }) =>
      askAnvil(chain!.rpcUrl, ask, account.address),
    )
    await page.addInitScript(() => {
      Object.assign(window, { ethereum: { request: (window as never)['askNode'] } })
    })
    await page.goto(`${server.url}/?chain=base&in=ETH&out=USDC&amount=123.25`)
    await headline(page)
    await page.getByRole('button', { name: 'Connect a wallet' }).click()
    // The account is rich in WETH too, so nothing has to be wrapped.
    await page.getByRole('button', { name: 'Approve exactly this amount' }).click()
    const send = page.getByRole('button', { name: 'Check, sign and send' })
    await send.waitFor({ timeout: 30_000 })
    const recipient = getAddress(await page.locator('#recipient').inputValue())
    expect(recipient).toBe(getAddress(account.address))
    const client = clientOf(chain!)
    const usdc = chain!.tokens['USDC']!.address
    const held = () =>
      client.readContract({
        address: usdc,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [recipient],
      })
    const before = await held()
    const quoted = (await page.locator('.headline').textContent())!
    await send.click()
    await page.locator('#state.good').waitFor({ timeout: 30_000 })
    expect(`${Decimals.toDisplay((await held()) - before, 6)} USDC`).toBe(quoted)
    await close()
  })
})

describe('what strangers write', () => {
  test('property: 10,000 hostile texts leave the elements as they are', async () => {
    const build = await rolldown({
      input: fileURLToPath(new URL('./renderers.ts', import.meta.url)),
      platform: 'browser',
      resolve: { conditionNames: ['development', 'browser', 'import', 'default'] },
    })
    const { output } = await build.generate({
      format: 'iife',
      name: 'renderers',
      codeSplitting: false,
    })
    await build.close()
    const { close, complaints, page } = await openPage(browser)
    await page.goto('about:blank')
    await page.addScriptTag({ content: output[0].code })
    const result = await page.evaluate(
      (names) => {
        const { render, shapeOf } = globalThis as unknown as {
          render: (name: string) => Element
          shapeOf: (root: Element) => string
        }
        const usual = shapeOf(render('USD Coin'))
        const wrong: string[] = []
        const links = new Set<string>()
        for (const name of names) {
          const section = render(name)
          document.body.replaceChildren(section)
          if (shapeOf(section) !== usual) wrong.push(name)
          for (const { protocol } of section.querySelectorAll('a')) links.add(protocol)
        }
        return {
          wrong,
          links: [...links],
          size: usual.split(' ').length,
          hacked: 'hacked' in globalThis,
        }
      },
      hostileNames(10_000, 2),
    )
    expect(result).toMatchObject({ wrong: [], hacked: false })
    expect(result.size).toBeGreaterThan(60)
    // A link that leads nowhere has the protocol ":".
    const harmless = ['about:', 'http:', 'https:', ':']
    expect(result.links.filter((link) => !harmless.includes(link))).toEqual([])
    expect(complaints).toEqual([])
    await close()
  }, 180_000)
})

/** Wallets leave room above a node's estimate, which is of the last block's state. */
const roomyGas = '0x7a1200'

/** The unlocked account of the devnet's node plays the wallet. */
async function askAnvil(rpcUrl: string, ask: { method: string; params: unknown }, account: string) {
  if (ask.method === 'eth_requestAccounts') return [account]
  const isSent = ask.method === 'eth_sendTransaction'
  const [first, ...rest] = (ask.params ?? []) as object[]
  const params = isSent ? [{ gas: roomyGas, ...first }] : first ? [first, ...rest] : []
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: ask.method, params })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
  const { error, result } = (await answer.json()) as {
    error?: { message: string }
    result: unknown
  }
  if (error) throw new Error(error.message)
  return result
}

/** Moves the price: any swap does. */
async function swapSome(account: string, token: string, rpcUrl: string) {
  const post = { ...{ chain: 'base', in: token, out: 'USDC', amountIn: `${10n ** 24n}` } }
  const asked = new URLSearchParams({ ...post, recipient: account })
  const quote = (await (await fetch(`${server.url}/api/quote?${asked}`)).json()) as {
    tx: { to: string; data: string }
    approval: { spender: string; amount: string }
  }
  const approve = `0x095ea7b3${quote.approval.spender.slice(2).padStart(64, '0')}${BigInt(quote.approval.amount).toString(16).padStart(64, '0')}`
  for (const tx of [
    { to: token, data: approve },
    { to: quote.tx.to, data: quote.tx.data },
  ])
    await askAnvil(
      rpcUrl,
      { method: 'eth_sendTransaction', params: [{ from: account, ...tx }] },
      account,
    )
}
