import { concat, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from './scriptedWallet.js'
import { openPage, type Site, startSite, violations } from './site.js'

let site: Site

beforeAll(async () => {
  site = await startSite([8453])
})

afterAll(() => site?.stop())

const integrator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Call = { to: string; data: Hex; value: string }

/** The calls of a swap that the devnet's account makes. */
async function callsOf(query: string): Promise<readonly Call[]> {
  const { address } = site.devnet.account
  const asked = `chain=base&recipient=${address}&sender=${address}&${query}`
  const body = await (await fetch(`${site.url}/api/quote?${asked}`)).json()
  return (body as { calls: readonly Call[] }).calls
}

async function send(fields: Partial<Call>): Promise<string> {
  const from = site.devnet.account.address
  const value = numberToHex(BigInt(fields.value ?? 0))
  const transaction = { ...fields, from, gas: '0x7a1200', value }
  return String(await rpc(site.devnet.chains[0]!.rpcUrl, 'eth_sendTransaction', [transaction]))
}

/** Makes all calls; gives the hash of the last. */
async function swap(query: string): Promise<string> {
  let hash = ''
  for (const { data, to, value } of await callsOf(query)) hash = await send({ data, to, value })
  return hash
}

/** The page of a transaction, once the service has found it. */
async function read(path: string) {
  const { close, page } = await openPage(site.browser, { viewport: { width: 1280, height: 800 } })
  await page.goto(site.url + path)
  await expect
    .poll(async () => {
      await page.reload()
      return await page.locator('.lead').textContent()
    })
    .toMatch(/^It happened/)
  const rows = await page.locator('.facts > div').evaluateAll((all) =>
    all.map((row) => {
      const [name, value] = ['dt', 'dd'].map((each) => row.querySelector(each)!.textContent!.trim())
      return [name!, value!] as const
    }),
  )
  const lead = (await page.locator('.lead').textContent())!
  const titles = await page.locator('.card h2').allTextContents()
  expect(await violations(page)).toEqual([])
  return { close, facts: Object.fromEntries(rows), lead, page, titles }
}

/** Calls the address in the first 20 bytes of its calldata with the rest, and with the value that it got. */
const passOn: Hex = '0x601436036014600037600060006014360360003460003560601c5af16022575f5ffd5b00'

describe('/tx/<chain>/<hash>', () => {
  test('default: what went in, what came out, and the route with its venues by name', async () => {
    const hash = await swap(`in=SLU&out=USDC&version=2&amountIn=${10n ** 24n}`)
    const { close, facts, page, titles } = await read(`/tx/base/${hash}`)
    expect(titles[1]).toMatch(/^SLU to USDC, \d+ swaps?$/)
    expect(facts['Paid']).toBe('1,000,000 SLU')
    expect(facts['Delivered']).toBe(`${facts['Quoted']} exactly what was quoted`)
    expect(facts).not.toHaveProperty('Fee of the integrator')
    expect(facts).not.toHaveProperty('Sent to')
    const bands = await page.locator('.routebox.wide .words').allTextContents()
    expect(bands.length).toBeGreaterThan(0)
    for (const band of bands)
      expect(band.trim()).toMatch(/^(Uniswap|Aerodrome|\d+ more|\d+ pools).* [\d.]+ %$/)
    expect(await page.locator('.routebox.narrow').isVisible()).toBe(false)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.locator('.routebox.wide').isVisible()).toBe(false)
    expect(await page.locator('.routebox.narrow').isVisible()).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await close()
  })

  test('behavior: tokens of the service’s lists have their symbols and decimals', async () => {
    const hash = await swap(`in=DAI&out=USDC&amountIn=${1_234n * 10n ** 18n}`)
    const { close, facts, titles } = await read(`/tx/base/${hash}`)
    expect(titles[1]).toMatch(/^DAI to USDC/)
    expect(facts['Paid']).toBe('1,234 DAI')
    await close()
  })

  test('behavior: what an integrator got stands beside the fee of the protocol', async () => {
    const fee = `integrator=${integrator}&integratorFeeBps=50`
    const hash = await swap(`in=ETH&out=USDC&version=2&amountIn=${10n ** 18n}&${fee}`)
    const { close, facts } = await read(`/tx/base/${hash}`)
    const amount = (name: string) => Number(facts[name]!.replaceAll(',', '').split(' ')[0])
    expect(facts['Fee of the integrator']).toContain(`to ${integrator.toLowerCase()}`)
    const gross =
      amount('Delivered') + amount('Fee of the protocol') + amount('Fee of the integrator')
    expect(amount('Fee of the integrator') / gross).toBeCloseTo(0.005, 6)
    expect(amount('Fee of the protocol') / gross).toBeCloseTo(0.0028, 6)
    await close()
  })

  test('behavior: a swap through another contract is told by its events alone', async () => {
    const [call] = await callsOf(`in=ETH&out=USDC&version=2&amountIn=${10n ** 17n}`)
    const size = (passOn.length - 2) / 2
    const deploy: Hex = `0x60${size.toString(16).padStart(2, '0')}80600b6000396000f3${passOn.slice(2)}`
    const created = await send({ data: deploy })
    const url = site.devnet.chains[0]!.rpcUrl
    const receiptOf = () => rpc(url, 'eth_getTransactionReceipt', [created])
    await expect.poll(receiptOf).toMatchObject({ status: '0x1' })
    const receipt = (await receiptOf()) as { contractAddress: Hex }
    const data = concat([call!.to as Hex, call!.data])
    const to = receipt.contractAddress
    const hash = await send({ to, data, value: call!.value })
    const { close, facts, lead, page, titles } = await read(`/tx/base/${hash}`)
    expect(lead).toContain('through another contract')
    expect(facts['Sent to']).toBe(to)
    expect(facts['Trader']).toBe(to)
    expect(facts['Paid']).toBe('0.1 WETH')
    expect(titles).toHaveLength(2)
    expect(await page.locator('.routebox').count()).toBe(0)
    await close()
  })

  test('error: what is none is said', async () => {
    const { close, page } = await openPage(site.browser)
    await page.goto(`${site.url}/tx/base/0x${'ab'.repeat(32)}`)
    expect(await page.locator('.lead').textContent()).toBe(
      'The chain has not included this transaction yet, or does not know it.',
    )
    const status = (await page.goto(`${site.url}/tx/polygon/0x${'ab'.repeat(32)}`))!.status()
    expect(status).toBe(404)
    await close()
  })
})
