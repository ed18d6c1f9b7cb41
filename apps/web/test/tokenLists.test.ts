import { logoFolder } from '@sluice/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTokenList } from '../src/effects/tokenLists.js'
import { openPage, type Site, startSite, violations } from './site.js'

const address = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'
const token = { chainId: 8453, address, symbol: 'DAI', name: 'Dai', decimals: 18 }
const listOf = (...tokens: readonly unknown[]) => JSON.stringify({ name: 'Mine', tokens })
const read = (text: string) => readTokenList(text, [8453])

describe('readTokenList', () => {
  test('default: tokens of served chains, none of them on a list of the service', () => {
    expect(read(listOf(token, { ...token, chainId: 5 }))).toEqual([{ ...token, isListed: false }])
  })

  test('behavior: pictures on other servers are left out, and long texts are cut', () => {
    const long = { ...token, symbol: 'S'.repeat(99), name: 'N'.repeat(99) }
    expect(read(listOf({ ...long, logoURI: 'https://elsewhere.test/dai.png' }))).toEqual([
      { ...token, symbol: 'S'.repeat(32), name: 'N'.repeat(32), isListed: false },
    ])
  })

  test('behavior: at most 400 tokens are taken', () => {
    expect(read(listOf(...Array.from({ length: 500 }, () => token)))).toHaveLength(400)
  })

  test.each([
    ['a name in place of an address', { ...token, address: 'DAI' }],
    ['an address with a typing error', { ...token, address: address.replace('c', 'C') }],
    ['no decimals', { ...token, decimals: undefined }],
    ['decimals in a text', { ...token, decimals: '18' }],
    ['more decimals than a token has', { ...token, decimals: 255 }],
    ['no symbol', { ...token, symbol: '' }],
    ['nothing', null],
  ])('error: a token with %s is left out', (_, given) => {
    expect(read(listOf(given, token))).toHaveLength(1)
    expect(read(listOf(given))).toBe('This list has no token of a chain that is served here.')
  })

  test.each([
    ['{', 'This is not a token list: it is not JSON.'],
    ['null', 'This is not a token list: it has no “tokens”.'],
    ['{"tokens":{}}', 'This is not a token list: it has no “tokens”.'],
  ])('error: %s is no list', (text, words) => {
    expect(read(text)).toBe(words)
  })
})

describe('in the page', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite([8453])
  })
  afterAll(() => site?.stop())

  test('default: a list of the reader’s own is pasted, kept, and nothing is fetched for it', async () => {
    const bare = await site.serve({ tokenLists: [] })
    const { close, page } = await openPage(site.browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    await page.goto(`${bare}/?chain=base&in=SLU&out=USDC&amount=100000`)
    await page.locator('.tokenchip').last().click()
    await page.locator('.ownlist summary').click()
    const { address, decimals } = site.devnet.chains[0]!.tokens['MOSS']!
    const moss = { chainId: 8453, address, symbol: 'MOSS', name: 'Moss', decimals }
    const logoURI = 'https://elsewhere.test/moss.png'
    await page
      .locator('.ownlist textarea')
      .fill(JSON.stringify({ name: 'Mine', tokens: [{ ...moss, logoURI }] }))
    await page.locator('.ownlist .note.good').waitFor()
    expect(await violations(page)).toEqual([])
    await page.reload()
    await page.locator('.tokenchip').last().click()
    await page.locator('dialog input[type=search]').fill('moss')
    await page.getByRole('button', { name: /MOSS.*imported/ }).click()
    await page.locator('.rateline .badge.good').waitFor()
    expect(await page.locator('.tokenchip .symbol').last().textContent()).toBe('MOSS')
    const nodes = site.devnet.chains.map(({ rpcUrl }) => new URL(rpcUrl).origin)
    expect(asked.filter((origin) => origin !== bare && !nodes.includes(origin))).toEqual([])
    await close()
  })

  test('default: pictures on the operator’s list are shown, and come from the service', async () => {
    const { address, decimals } = site.devnet.chains[0]!.tokens['MOSS']!
    const picture =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const bytes = new Uint8Array(Buffer.from(picture, 'base64'))
    const logo = { path: `${logoFolder}moss.png`, type: 'image/png', bytes } as const
    const url = await site.serve({
      tokenLists: [{ chainId: 8453, address, decimals, symbol: 'MOSS', name: 'Moss', logo }],
    })
    const { close, complaints, page } = await openPage(site.browser)
    await page.goto(`${url}/?chain=base&in=MOSS&out=USDC&amount=1`)
    const coin = page.locator('.tokenchip img.coin')
    await coin.waitFor()
    expect(await coin.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
    const { tokens } = (await (await fetch(`${url}/page.json`)).json()) as { tokens: object[] }
    expect(tokens).toContainEqual({
      ...{ chainId: 8453, address, decimals, symbol: 'MOSS', name: 'Moss' },
      logo: logo.path,
    })
    expect(complaints).toEqual([])
    await close()
  })
})
