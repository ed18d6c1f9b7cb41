import { Decimals } from '@sluice/domain'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirm, connect, heldOn, openTrade } from './journey.js'
import { primary, ready, type Site, startSite, violations } from './site.js'

let site: Site

beforeAll(async () => {
  site = await startSite([8453])
})

afterAll(() => site?.stop())

const tokenOf = (symbol: string) => site.devnet.chains[0]!.tokens[symbol]!
const held = (symbol: string, account: string) =>
  heldOn(site.devnet, 8453, tokenOf(symbol).address, account)

type Answer = { amountIn: string; exactOutput: { amountInMax: string } }

async function quote(query: string): Promise<Answer> {
  return (await (
    await fetch(`${site.url}/api/quote?chain=base&version=2&${query}`)
  ).json()) as Answer
}

describe('an output that the reader fixes', () => {
  test('default: is typed where it is received, approved to the unit, and delivered at least', async () => {
    const { close, complaints, page, wallet } = await openTrade(
      site,
      'chain=base&in=USDC&out=WETH&amount=',
    )
    await page.locator('#receive').fill('1.25')
    const { amountIn, exactOutput } = await quote(
      `in=USDC&out=WETH&amountOut=${parseUnits('1.25', 18)}`,
    )
    const sold = BigInt(exactOutput.amountInMax)
    await expect.poll(() => page.locator('#amount').inputValue()).toBe(Decimals.toDisplay(sold, 6))
    expect(await page.locator('#amount-hint').textContent()).toContain(
      `${Decimals.toDisplay(BigInt(amountIn), 6)} at this price`,
    )
    await page.locator('.rateline .badge.good').waitFor()
    expect(await page.locator('#bound-title').textContent()).toMatch(
      /^The proven minimum is (99\.9\d|100\.00) % of this price$/,
    )
    expect(new URL(page.url()).search).toMatch(/&amount=1\.25&exact=out$/)
    await connect(page)
    await ready(page, 'Approve USDC')
    await primary(page).click()
    await ready(page, 'Review swap')
    expect(BigInt(`0x${wallet.sent[0]!['data']!.slice(74)}`)).toBe(sold)
    const before = [await held('USDC', wallet.account), await held('WETH', wallet.account)] as const
    await primary(page).click()
    expect(await page.locator('dialog .review-pair strong').allTextContents()).toEqual([
      `${Decimals.toDisplay(sold, 6)} USDC`,
      '1.25 WETH',
    ])
    expect(await page.locator('dialog .facts-list').textContent()).toContain(
      `At this price${Decimals.toDisplay(BigInt(amountIn), 6)} USDC; the rest buys more WETH`,
    )
    expect(await violations(page)).toEqual([])
    const { paid } = await confirm(page)
    expect(paid).toBe(`${Decimals.toDisplay(sold, 6)} USDC`)
    expect(before[0] - (await held('USDC', wallet.account))).toBe(sold)
    const gained = (await held('WETH', wallet.account)) - before[1]
    expect(gained).toBeGreaterThanOrEqual(parseUnits('1.25', 18))
    expect(gained).toBeLessThan(parseUnits('1.27', 18))
    expect(complaints).toEqual([])
    await close()
  })

  test('default: a permit pays for it, and the native coin does', async () => {
    const { close, page, wallet } = await openTrade(
      site,
      'chain=base&in=SLU&out=USDC&amount=321&exact=out',
    )
    await connect(page)
    await ready(page, 'Review swap')
    const before = await held('USDC', wallet.account)
    await primary(page).click()
    expect(await page.locator('dialog').textContent()).toContain('by signature')
    await confirm(page)
    expect((await held('USDC', wallet.account)) - before).toBeGreaterThanOrEqual(
      parseUnits('321', 6),
    )
    expect(wallet.sent).toHaveLength(1)
    await page.goto(`${site.url}/?chain=base&in=ETH&out=USDC&amount=500&exact=out`)
    await ready(page, 'Review swap')
    const held1 = await held('USDC', wallet.account)
    await primary(page).click()
    await confirm(page)
    expect((await held('USDC', wallet.account)) - held1).toBeGreaterThanOrEqual(
      parseUnits('500', 6),
    )
    await close()
  })

  test('behavior: typing on the other side fixes the input again', async () => {
    const { close, page } = await openTrade(site, 'chain=base&in=SLU&out=USDC&amount=5&exact=out')
    await expect.poll(() => page.locator('#amount').inputValue()).toMatch(/^3\d\.\d+$/)
    await page.locator('#amount').fill('100')
    await expect.poll(() => page.locator('#receive').inputValue()).toMatch(/^1\d\.\d+$/)
    expect(new URL(page.url()).search).not.toContain('exact')
    await page.locator('#receive').fill('1,000')
    await expect
      .poll(() => page.locator('#receive-hint').textContent())
      .toBe('1,000 can mean 1000 or 1.000: write one of them.')
    await close()
  })
})

describe('a link of an integrator', () => {
  const integrator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const trade = 'chain=base&in=ETH&out=USDC&amount=2'

  test('default: its fee is in the cost and in the review, and it is paid', async () => {
    const { close, page } = await openTrade(
      site,
      `${trade}&integrator=${integrator}&integratorFeeBps=25`,
    )
    await connect(page)
    await ready(page, 'Review swap')
    expect(await page.locator('.figures').textContent()).toContain('fee 0.53 %')
    const before = await held('USDC', integrator)
    await primary(page).click()
    expect(await page.locator('dialog .facts-list').textContent()).toContain(
      'Fee of the integrator0.25 %, counted already 0x7099…79C8',
    )
    const { delivered } = await confirm(page)
    expect(delivered).toContain('exactly what was quoted')
    expect((await held('USDC', integrator)) - before).toBeGreaterThan(parseUnits('13', 6))
    await close()
  })

  test('error: a fee that cannot be taken is said, and none is taken', async () => {
    const { close, page } = await openTrade(
      site,
      `${trade}&integrator=${integrator}&integratorFeeBps=101`,
    )
    await page.locator('.note.bad').waitFor()
    expect(await page.locator('.note.bad').textContent()).toBe(
      'This link asks for a fee that cannot be taken, so none is: it needs an address and 1 to 100 basis points.',
    )
    await ready(page, 'Connect wallet')
    await expect.poll(() => page.locator('.figures').textContent()).toContain('fee 0.28 %')
    await close()
  })
})

describe('the form', () => {
  test('behavior: no amount is awaited where none is asked for', async () => {
    const placeholder = async (query: string) => {
      const { close, page } = await openTrade(site, query)
      await page.locator('#receive').waitFor()
      await expect.poll(() => page.locator('#receive').getAttribute('placeholder')).toBe('0')
      await close()
    }
    await placeholder('chain=base&in=ETH&out=WETH&amount=1')
    await placeholder('chain=polygon&in=ETH&out=USDC&amount=1')
    await placeholder('chain=base&in=ETH&out=USDC&amount=1&recipient=0x12')
  })

  test('behavior: slippage is read to a hundredth of a percent, and an empty field leaves it to the protocol', async () => {
    const { close, page } = await openTrade(site, 'chain=base&in=ETH&out=USDC&amount=1')
    await page.getByRole('button', { name: 'Settings' }).click()
    const field = page.locator('input[name=slippage]')
    const told = () => new URL(page.url()).searchParams.get('slippageBps')
    await field.fill('0,3')
    await expect.poll(told).toBe('30')
    for (const wrong of ['0.001', 'abc', '-1', '1e1', '51']) {
      await field.fill(wrong)
      await expect.poll(() => page.locator('.slippage .hint').textContent()).toMatch(/^Write /)
      expect(told()).toBe('30')
    }
    await field.fill('')
    await expect.poll(told).toBe(null)
    await close()
  })
})
