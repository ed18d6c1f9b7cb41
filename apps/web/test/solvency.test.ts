import { stakingAbi } from '@sluice/abi'
import { badgeResponse, examples, type SolvencyResponse, solvencyResponse } from '@sluice/api'
import { type Devnet, startDevnet } from '@sluice/devnet'
import { Decimals, Solvency } from '@sluice/domain'
import { startServer } from '@sluice/server'
import type { Browser } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../packages/devnet/test/clients.js'
import { solvencyPage } from '../../../packages/server/src/pages/solvency.js'
// @ts-expect-error plain Node, without types
import { buildWebIfNeeded } from '../../../tools/build-web.mjs'
import { hostileNames } from './hostile.js'
import { accessibilityProblems, appearances, launch, openPage } from './launch.js'

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>
let staking: Address
let browser: Browser
let rpcUrl: string

beforeAll(async () => {
  await buildWebIfNeeded()
  devnet = await startDevnet({ port: 0, chainIds: [8453, 1] })
  staking = devnet.deployments.chains['8453']!.versions['2.0.0']!.staking
  server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map((chain) => [chain.chainId, [chain.rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    maxLoopDelayMs: 0,
  })
  rpcUrl = devnet.chains[0]!.rpcUrl
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await devnet?.stop()
})

type Reading = NonNullable<SolvencyResponse['generations'][number]['reading']>

/** What is held, as the page writes it. */
const display = ({ solvency }: Reading, digits?: number) =>
  Decimals.toDisplay(BigInt(solvency.backing), 18, { digits })

const text = async () => (await fetch(`${server.url}/api/solvency`)).json()

describe('the report', () => {
  test('default: is what the real contract says, counted again', async () => {
    const { generations, status } = solvencyResponse.parse(await text())
    expect(status).toBe('solvent')
    const { reading } = generations.find((each) => each.staking === staking)!
    const { solvency } = reading!
    const struct = await clientOf(devnet.chains[0]!).readContract({
      address: staking,
      abi: stakingAbi,
      functionName: 'solvency',
      blockNumber: BigInt(reading!.blockNumber),
    })
    // Rewards stream by the second, and a call at a block has that block's time.
    for (const { name } of Solvency.fields)
      expect(String(solvency[name]), name).toBe(String(struct[name]))
    expect(solvency.totalStaked).toBe(`${5_000_000n * 10n ** 18n}`)
    const { held, symbol, t1, t2 } = reading!.ledger.find(({ t2: part }) => BigInt(part!) > 0n)!
    expect(['SLU', 'WETH', 'USDC']).toContain(symbol)
    expect(BigInt(held!)).toBeGreaterThanOrEqual(BigInt(t1!) + BigInt(t2!))
    const badge = await (await fetch(`${server.url}/api/badge`)).json()
    expect(badgeResponse.parse(badge).message).toBe('solvent')
  })

  test('behavior: the curl line gives the raw words of the page', async () => {
    const { generations } = solvencyResponse.parse(await text())
    const { reading } = generations.find((each) => each.staking === staking)!
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(reading!.rpcRequest),
    })
    expect(await answer.json()).toMatchObject({ result: reading!.raw.solvency })
  })
})

describe('the page', () => {
  test('default: is complete without a script', async () => {
    const { close, complaints, page } = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/solvency`)
    const shown = (await page.textContent('main'))!
    const { generations } = solvencyResponse.parse(await text())
    const generation = generations.find((each) => each.staking === staking)!
    const reading = generation.reading!
    for (const { name } of Solvency.fields) {
      expect(shown).toContain(name)
      expect(shown).toContain(String(reading.solvency[name]))
    }
    for (const word of Solvency.wordsOf(reading.raw.solvency as `0x${string}`))
      expect(shown).toContain(word)
    for (const part of [
      generation.staking,
      reading.curl,
      reading.cast,
      `${display(reading, 2)} SLU`,
      'Solvent',
    ])
      expect(shown).toContain(part)
    expect(shown).toContain('Not deployed')
    expect(await page.locator('form.check').isVisible()).toBe(false)
    expect(await page.locator('noscript').isVisible()).toBe(true)
    // A browser without scripts drops those that the page has it load ahead.
    expect(complaints.filter((each) => !each.startsWith('failed: '))).toEqual([])
    await close()
  })

  test.each(appearances)('default: fits and can be read: $name', async ({ name: _, ...look }) => {
    const { close, complaints, page } = await openPage(browser, look)
    await page.goto(`${server.url}/solvency`)
    await page.locator('form.check').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('behavior: the browser repeats the reading on a node of the reader', async () => {
    const { close, complaints, page } = await openPage(browser)
    await page.goto(`${server.url}/solvency`)
    await page.getByLabel('Address of your node').fill(rpcUrl)
    await page.getByRole('button', { name: 'Check with my node' }).click()
    await page.locator('.outcome.good').waitFor()
    const { generations } = solvencyResponse.parse(await text())
    const { reading } = generations.find((each) => each.staking === staking)!
    expect(await page.textContent('.outcome')).toContain(
      `block ${reading!.blockNumber}, byte for byte: ${display(reading!)} SLU held`,
    )
    expect(complaints).toEqual([])
    await close()
  })

  test('behavior: a page that lies is found out, a node of another chain is named', async () => {
    const { close, page } = await openPage(browser)
    await page.goto(`${server.url}/solvency`)
    await page.locator('form.check').evaluate((form) => {
      form.dataset['raw'] = form.dataset['raw']!.replace('0x0', '0x1')
    })
    const check = async (url: string) => {
      await page.getByLabel('Address of your node').fill(url)
      await page.getByRole('button', { name: 'Check with my node' }).click()
      await page.locator('.outcome.bad, .outcome.unsure:not(:text("Asking"))').waitFor()
      return await page.textContent('.outcome')
    }
    expect(await check(rpcUrl)).toContain('Do not believe this page')
    expect(await check(devnet.chains[1]!.rpcUrl)).toContain('Your node is of chain 1')
    expect(await check('http://127.0.0.1:9')).toContain('cannot be reached')
    await close()
  })

  test('behavior: a wallet can repeat it too', async () => {
    const { close, page } = await openPage(browser)
    await page.exposeFunction('askNode', async (ask: { method: string; params: unknown }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...ask })
      const headers = { 'content-type': 'application/json' }
      return (await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()).result
    })
    await page.addInitScript(() => {
      Object.assign(window, { ethereum: { request: (window as never)['askNode'] } })
    })
    await page.goto(`${server.url}/solvency`)
    await page.getByRole('button', { name: 'Check with my wallet' }).click()
    await page.locator('.outcome.good').waitFor()
    await close()
  })
})

describe('what strangers write', () => {
  const base = examples['getSolvency']!.response as SolvencyResponse
  const assets = {
    files: new Map(),
    pathOf: () => '/assets/solvency.js',
    importsOf: () => [],
  }
  const parts = { assets, isServed: () => true }
  const withoutStyle = (page: string) => page.replace(/<style>[\s\S]*?<\/style>/, '')

  /**
   * The report of the devnet with texts of strangers wherever one can stand; each takes every fourth place, and the places
   * turn with `page`.
   */
  function reportOf(live: SolvencyResponse, texts: readonly string[], page: number) {
    let place = page
    const next = () => texts[place++ % texts.length]!
    const deployed = live.generations.find(({ reading }) => reading !== null)!
    const reading = deployed.reading!
    const named = () => {
      return { ...deployed, name: next(), abi: next(), staking: next(), core: next() }
    }
    const ledger = reading.ledger.map((line) => ({ ...line, symbol: next(), token: next() }))
    const told = { ...reading, ledger, blockHash: next(), curl: next(), cast: next() }
    const problem = { code: next() as never, reason: next() }
    const generations = [
      { ...named(), reading: told },
      { ...named(), status: 'unknown' as const, reading: null, problem },
      { ...named(), status: 'not_deployed' as const, reading: null, version: next() },
    ]
    return { ...base, ...live, generations }
  }

  test('property: 10,000 hostile names leave the elements as they are', async () => {
    const live = solvencyResponse.parse(await text())
    const { close, page } = await openPage(browser)
    await page.goto('about:blank')
    const names = hostileNames(10_000, 1)
    expect(new Set(names).size).toBeGreaterThan(8_000)
    const usual = ['Base', 'Base', 'Base', 'Base']
    const groups = [
      usual,
      ...Array.from({ length: 2_500 }, (_, at) => names.slice(4 * at, 4 * at + 4)),
    ]
    const shapes = new Map<string, readonly string[]>()
    for (let from = 0; from < groups.length; from += 100) {
      const some = groups.slice(from, from + 100)
      const pages = some.map((texts, at) =>
        withoutStyle(solvencyPage(reportOf(live, texts, from + at), parts)),
      )
      const found = await page.evaluate((texts) => {
        const parser = new DOMParser()
        return texts.map((each) =>
          [...parser.parseFromString(each, 'text/html').querySelectorAll('*')]
            .map(
              ({ attributes, localName }) => `${localName}[${[...attributes].map((a) => a.name)}]`,
            )
            .join(' '),
        )
      }, pages)
      for (const [at, shape] of found.entries())
        if (!shapes.has(shape)) shapes.set(shape, some[at]!)
    }
    expect([...shapes.values()]).toEqual([usual])
    await close()
  }, 180_000)
})
