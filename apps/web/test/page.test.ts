import { Decimals } from '@sluice/domain'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appearances } from './launch.js'
import { installWallet, rpc } from './scriptedWallet.js'
import { beside, openPage, primary, ready, type Site, startSite, violations } from './site.js'

let site: Site

beforeAll(async () => {
  site = await startSite([8453, 42161])
})

afterAll(() => site?.stop())

const trade = 'chain=base&in=SLU&out=USDC&amount=100000'

async function open(query = trade, options: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage(site.browser, options)
  await opened.page.goto(`${site.url}/?${query}`)
  return opened
}

type Explained = { explain: { alternatives: { kind: string; amountOut: string }[] } }

const received = (page: Page) => page.locator('output').textContent()
const badge = (page: Page) => page.locator('.rateline .badge')
const quoted = async (page: Page) => {
  await expect.poll(() => received(page)).toMatch(/^[\d,.]+$/)
  await expect.poll(() => received(page)).not.toBe('0')
}

async function amountOut(query: string): Promise<bigint> {
  const body = (await (await fetch(`${site.url}/api/quote?${query}`)).json()) as {
    amountOut: string
  }
  return BigInt(body.amountOut)
}

describe('a quote', () => {
  test('default: the number of the API, checked by the reader’s node, with route, bound, curve and permalink', async () => {
    const { close, complaints, page } = await open()
    await quoted(page)
    const expected = await amountOut(
      'chain=base&in=SLU&out=USDC&version=2&amountIn=100000000000000000000000',
    )
    expect(await received(page)).toBe(Decimals.toDisplay(expected, 6))
    await page.locator('.rateline .badge.good').waitFor()
    expect(await badge(page).textContent()).toMatch(/^Same on your node, block \d+$/)
    expect(await page.locator('.figures dt').allTextContents()).toEqual([
      'You receive',
      'At least',
      'Total cost',
    ])
    await expect
      .poll(() => page.locator('.bandname').first().textContent())
      .toMatch(/^(Uniswap|Aerodrome).* [\d.]+ % $/)
    expect(await page.locator('#bound-title').textContent()).toMatch(
      /^99\.\d\d % of the proven maximum$/,
    )
    await page.locator('.curve .here').waitFor()
    const asked = 'chain=base&in=SLU&out=USDC&amountIn=100000000000000000000000&explain=1'
    const { explain } = (await (await fetch(`${site.url}/api/quote?${asked}`)).json()) as Explained
    expect(explain.alternatives.map(({ kind }) => kind)).toEqual(['single_pool', 'single_path'])
    const rows = await page.locator('.unsplit dd').allTextContents()
    for (const [index, { amountOut }] of explain.alternatives.entries()) {
      const shown = Decimals.toDisplay(BigInt(amountOut), 6)
      const less = Number(((BigInt(amountOut) - expected) * 1_000_000n) / expected) / 10_000
      expect(rows[index]).toContain(`${shown} USDC −${Math.abs(less).toFixed(2)} %`)
    }
    await page.locator('#amount').fill('1.5')
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe(
        '?chain=base&in=' +
          `${site.devnet.chains[0]!.tokens['SLU']!.address}&out=${site.devnet.chains[0]!.tokens['USDC']!.address}&amount=1.5`,
      )
    await page.locator('#proof summary').first().click()
    await page.locator('#proof dl.numbers dt').first().waitFor()
    const names = await page.locator('#proof dl.numbers dt').allTextContents()
    expect(names.slice(0, 6)).toEqual([
      'Gross output',
      'Protocol fee',
      'Net output',
      'Least you receive',
      'Protocol floor',
      'Price impact',
    ])
    expect(complaints).toEqual([])
    await close()
  })

  test('behavior: the curl and the SDK lines give what is on the screen', async () => {
    const { close, page } = await open()
    await quoted(page)
    await page.locator('#proof summary').first().click()
    await page.locator('#proof .command').first().waitFor()
    const [curl, , call] = await page.locator('#proof .command code').allTextContents()
    const url = /'(.*)'/.exec(curl!)![1]!
    expect(Decimals.toDisplay(await amountOut(url.split('?')[1]!), 6)).toBe(await received(page))
    const request = JSON.parse(/-d '(.*)'$/.exec(call!)![1]!)
    expect(
      String(await rpc(site.devnet.chains[0]!.rpcUrl, request.method, request.params)),
    ).toMatch(/^0x[0-9a-f]{600,}$/)
    await close()
  })

  test('behavior: an honest quote with hints is never accused', async () => {
    const url = await site.serve({ poolIndex: ':memory:' })
    const { close, page } = await openPage(site.browser)
    // BRINE is reached through MOSS, which is no connector of the chain.
    await expect
      .poll(
        async () => {
          // An answer holds for its block, so one from before the index was ready would stay.
          await rpc(site.devnet.chains[0]!.rpcUrl, 'evm_mine', [])
          const asked = 'chain=base&in=BRINE&out=USDC&amountIn=1000000000000000000000'
          return (await fetch(`${url}/api/quote?${asked}`)).status
        },
        { timeout: 60_000 },
      )
      .toBe(200)
    await page.goto(`${url}/?chain=base&in=BRINE&out=USDC&amount=1000`)
    await page.locator('.rateline .badge.good').waitFor()
    await close()
  })

  test('error: a service that lies about its block is found out, and nothing can be signed', async () => {
    const { close, page } = await openPage(site.browser)
    await installWallet(page, site.devnet)
    await page.route('**/api/quote/stream?**', async (route) => {
      const body = await (await fetch(route.request().url().replace('/stream', ''))).text()
      const honest = (JSON.parse(body) as { amountOut: string }).amountOut
      const lie = body.replaceAll(`"${honest}"`, `"${BigInt(honest) + 1n}"`)
      const data = `event: quote\nid: 1\ndata: ${lie}\n\nevent: end\ndata: {}\n\n`
      await route.fulfill({ contentType: 'text/event-stream', body: data })
    })
    await page.goto(`${site.url}/?chain=base&in=ETH&out=USDC&amount=2`)
    await ready(page, 'Connect wallet')
    await primary(page).click()
    await expect.poll(() => primary(page).textContent()).toBe('Your node disagrees')
    expect(await primary(page).isEnabled()).toBe(false)
    expect(await page.locator('.notes').textContent()).toMatch(
      /Do not sign this\. On block \d+ your node computes [\d,.]+, the service says [\d,.]+ USDC/,
    )
    expect(await violations(page)).toEqual([])
    await close()
  })

  test('behavior: a node that lies or is silent is told apart from a service that lies', async () => {
    const { close, page } = await openPage(site.browser)
    await page.addInitScript(() =>
      localStorage.setItem('sluice.nodes', JSON.stringify({ 8453: 'http://127.0.0.1:9/' })),
    )
    await page.goto(`${site.url}/?${trade}`)
    await expect.poll(() => badge(page).textContent(), { timeout: 20_000 }).toBe('Not checked')
    await close()
  })
})

describe('input', () => {
  test.each([
    ['.5', '0.5'],
    ['1,5', '1.5'],
    ['1 000.25', '1000.25'],
    ['1,234,567.5', '1234567.5'],
  ])('behavior: %s is understood', async (typed, meant) => {
    const { close, page } = await open(
      `chain=base&in=SLU&out=USDC&amount=${encodeURIComponent(typed)}`,
    )
    await quoted(page)
    const base = BigInt(Math.round(Number(meant) * 1e6)) * 10n ** 12n
    const expected = await amountOut(`chain=base&in=SLU&out=USDC&version=2&amountIn=${base}`)
    expect(await received(page)).toBe(Decimals.toDisplay(expected, 6))
    await close()
  })

  test.each([
    ['1e18', 'Write the number out, without an exponent: amounts are in whole tokens.'],
    ['1,000', '1,000 can mean 1000 or 1.000: write one of them.'],
    ['1.0000000000000000001', 'This token has 18 decimals; the amount has 19.'],
    ['0', 'Write an amount above zero.'],
  ])('error: %s', async (typed, reason) => {
    const { close, page } = await open(`chain=base&in=SLU&out=USDC&amount=${typed}`)
    await expect.poll(() => page.locator('#amount-hint').textContent()).toBe(reason)
    expect(await primary(page).textContent()).toBe('Check the amount')
    await close()
  })

  test('error: a name that no list has is said with what to do, and nothing else', async () => {
    const { close, page } = await open('chain=base&in=NOSUCH&out=USDC&amount=1')
    await page.locator('.note').first().waitFor()
    expect(await page.locator('.notes').textContent()).toBe(
      'This service knows no token called NOSUCH on this chain. Choose one from the list, or paste the address of its contract. What unresolved means ',
    )
    await close()
  })

  test('error: a chain that is not served is refused, and not replaced', async () => {
    const { close, page } = await open('chain=polygon&in=ETH&out=USDC&amount=1')
    await expect
      .poll(() => page.locator('.note.bad').first().textContent())
      .toBe('“polygon” is no chain of this service. It serves base, arbitrum.')
    expect(await primary(page).isEnabled()).toBe(false)
    await close()
  })

  test('default: a token is found by its name, or by its address with a warning', async () => {
    const { close, page } = await open()
    await page.locator('.tokenchip').first().click()
    await page.locator('dialog input[type=search]').fill('cbb')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: /cbBTC/ }).click()
    await expect.poll(() => page.locator('.tokenchip .symbol').first().textContent()).toBe('cbBTC')
    const bare = await site.serve({ tokenLists: [] })
    const moss = site.devnet.chains[0]!.tokens['MOSS']!.address
    await page.goto(`${bare}/?${trade}`)
    await page.locator('.tokenchip').last().click()
    await page.locator('dialog input[type=search]').fill(moss)
    await expect
      .poll(() => page.locator('.import').textContent())
      .toMatch(/MOSS.*18 decimals.*moves its price by [\d.]+ %.*0x/s)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Import MOSS' }).click()
    await quoted(page)
    expect(await page.locator('.notes').textContent()).toContain(
      'MOSS is on no list of this service.',
    )
    await close()
  })
})

describe('the page', () => {
  test.each(appearances)(
    'default: fits, can be read, moves nothing: $name',
    async ({ name: _, ...look }) => {
      const { close, complaints, page } = await openPage(site.browser, look)
      await page.addInitScript(() => {
        Object.assign(window, { shifts: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as {
            value: number
            hadRecentInput: boolean
          }[])
            if (!entry.hadRecentInput) (window as never as { shifts: number }).shifts += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(`${site.url}/?${trade}`)
      await page.locator('.rateline .badge.good').waitFor()
      await page.locator('.curve .here').waitFor()
      expect(await violations(page)).toEqual([])
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBe(0)
      const box = (await primary(page).boundingBox())!
      expect(box.y + box.height).toBeLessThanOrEqual(look.viewport.height)
      expect(
        await page.evaluate(() => (window as never as { shifts: number }).shifts),
      ).toBeLessThanOrEqual(0.05)
      expect(complaints).toEqual([])
      await close()
    },
  )

  test('behavior: without scripts it says how to ask', async () => {
    const { close, complaints, page } = await open('', { javaScriptEnabled: false })
    expect(await page.textContent('main')).toContain(`curl '${site.url}/api/quote?`)
    // A browser without scripts drops those that the page has it load ahead.
    expect(complaints.filter((each) => !each.startsWith('failed: '))).toEqual([])
    await close()
  })

  test('behavior: a service that fails is said with a way to try again, and the page recovers by itself', async () => {
    const { close, page } = await openPage(site.browser)
    let isDown = true
    await page.route('**/api/**', (route) => (isDown ? route.abort() : route.continue()))
    await page.goto(`${site.url}/?${trade}`)
    await expect
      .poll(() => page.locator('.notes').textContent())
      .toContain('The service cannot be reached.')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await page.locator('#amount').inputValue()).toBe('100000')
    isDown = false
    await quoted(page)
    await close()
  })

  test('error: a service that does not even start is said, and tried again at a press', async () => {
    const { close, page } = await openPage(site.browser)
    let isDown = true
    await page.route('**/page.json', (route) => (isDown ? route.abort() : route.continue()))
    await page.goto(`${site.url}/?${trade}`)
    await page.locator('.note.bad').waitFor()
    expect(await page.locator('.note.bad').textContent()).toContain('The page could not start')
    expect(await violations(page)).toEqual([])
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await quoted(page)
    await close()
  })

  test('behavior: eight tabs all have their quote', async () => {
    const { close, page } = await open()
    await quoted(page)
    for (let tab = 2; tab <= 8; tab++) {
      const other = await beside(
        page.context(),
        `${site.url}/?chain=base&in=ETH&out=USDC&amount=${tab}`,
      )
      await quoted(other)
    }
    await close()
  })

  test('behavior: a new block brings a new number, and nothing leaves the origin and the reader’s node', async () => {
    const { close, page } = await openPage(site.browser)
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    await page.goto(`${site.url}/?${trade}`)
    await quoted(page)
    const before = await received(page)
    await swapSome()
    await expect.poll(() => received(page)).not.toBe(before)
    expect([...asked].sort()).toEqual(
      [site.url, site.devnet.chains[0]!.rpcUrl.replace(/\/$/, '')].sort(),
    )
    await close()
  })

  test('behavior: a service without quotes of its own leaves them to the reader’s node', async () => {
    const quiet = await site.serve({ quoteRelay: 'off', publishRpc: false })
    const { close, page } = await openPage(site.browser)
    const wallet = await installWallet(page, site.devnet)
    await page.goto(`${quiet}/?chain=base&in=DAI&out=USDC&amount=44`)
    await expect.poll(() => page.locator('.notes').textContent()).toMatch(/makes no quotes itself/)
    await page.getByRole('button', { name: 'Settings' }).click()
    expect(await violations(page)).toEqual([])
    await page.locator('#rpc').fill(site.devnet.chains[0]!.rpcUrl)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.keyboard.press('Escape')
    await ready(page, 'Connect wallet')
    await primary(page).click()
    await ready(page, 'Approve DAI')
    await primary(page).click()
    await ready(page, 'Review swap')
    await primary(page).click()
    await page.locator('dialog .primary').click()
    await page.locator('dialog h2', { hasText: 'Swapped' }).waitFor()
    expect(await page.locator('dialog .delivered').textContent()).toContain(
      'exactly what was quoted',
    )
    expect(wallet.sent).toHaveLength(2)
    await close()
  })
})

describe('the other pages', () => {
  test.each(['/stats', '/xray', '/api-reference', '/guide', '/errors', '/nothing'])(
    'default: %s stands in the frame and can be read',
    async (path) => {
      const { close, page } = await openPage(site.browser)
      await page.goto(site.url + path)
      expect(await page.locator('h1').count()).toBe(1)
      expect(await page.locator('nav a').allTextContents()).toEqual([
        'Swap',
        'Stats',
        'Solvency',
        'X-ray',
        'API',
        'Guide',
        'Errors',
      ])
      expect(await violations(page)).toEqual([])
      await close()
    },
  )

  test('default: the statistics plot the fills of 30 days, and their sum is the count', async () => {
    const url = await site.serve({ swapIndex: { path: ':memory:' }, swapIndexMs: 200 })
    type Stats = { chains: { chainId: number; fills: number | null }[] }
    const fillsOf = async () => {
      const { chains } = (await (await fetch(`${url}/api/stats`)).json()) as Stats
      return chains.find(({ chainId }) => chainId === 8453)?.fills ?? null
    }
    await expect.poll(fillsOf, { timeout: 60_000 }).not.toBe(null)
    const fills = await fillsOf()
    const { close, complaints, page } = await openPage(site.browser)
    await page.goto(`${url}/stats`)
    const bars = await page
      .locator('.plots .card', { has: page.locator('h2', { hasText: 'Base' }) })
      .locator('rect title')
      .allTextContents()
    expect(bars).toHaveLength(30)
    expect(bars.at(-1)).toMatch(/^the last day: \d+$/)
    expect(bars.reduce((sum, words) => sum + Number(words.split(': ')[1]), 0)).toBe(fills)
    expect(await violations(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  test('default: the X-ray of a token has a bar for what is reported and one for what is held', async () => {
    const market = [{ kind: 'dexscreener', name: 'devnet', url: site.devnet.marketUrl }] as const
    const url = await site.serve({ marketData: market })
    const { close, page } = await openPage(site.browser)
    await page.goto(`${url}/xray`)
    await page.locator('input[name=token]').fill('WETH')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.locator('.pool').first().waitFor()
    const report = (await (await fetch(`${url}/api/xray?chain=base&token=WETH`)).json()) as {
      pools: { pair: string; base: { reported: string; onchain: string } }[]
    }
    expect(await page.locator('.pool h3 code').allTextContents()).toEqual(
      report.pools.map(({ pair }) => pair),
    )
    expect(await page.locator('.pool svg.sides').count()).toBeGreaterThanOrEqual(
      report.pools.length,
    )
    // The command is thousands of characters long.
    expect(await page.locator('pre').isVisible()).toBe(false)
    await page.locator('summary', { hasText: 'Read it again' }).click()
    expect(await page.locator('pre code').textContent()).toMatch(/^curl /)
    expect(await violations(page)).toEqual([])
    await page.goto(`${url}/xray?chain=base&token=NOSUCH`)
    expect(await page.locator('.problem').textContent()).toContain('NOSUCH')
    await close()
  })
})

/** Moves the price: any swap does. Gives the hash. */
async function swapSome() {
  const { account, chains } = site.devnet
  const [{ rpcUrl, tokens }] = chains as [(typeof chains)[number]]
  const query = `chain=base&in=SLU&out=USDC&amountIn=${10n ** 24n}&recipient=${account.address}&sender=${account.address}`
  const quote = (await (await fetch(`${site.url}/api/quote?${query}`)).json()) as {
    calls: { to: string; data: string }[]
  }
  expect(tokens['SLU']).toBeDefined()
  let hash = ''
  for (const { data, to } of quote.calls)
    hash = String(
      await rpc(rpcUrl, 'eth_sendTransaction', [
        { from: account.address, to, data, gas: '0x7a1200' },
      ]),
    )
  return hash
}
