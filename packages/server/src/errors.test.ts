import { codes, docsPath } from '@sluice/api'
import { Reverts } from '@sluice/domain'
import { createClient, getQuote, getQuotes } from '@sluice/sdk'
import { describe, expect, test } from 'vitest'
import { ask, askRaw, quotePath, startService } from '../test/harness.js'

const trade = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 1_000_000n }

describe('the pages of the error codes', () => {
  test('default: every code has a page with its cause and what to do', async () => {
    const { url } = await startService()
    const index = await (await fetch(`${url}/errors`)).text()
    for (const [code, { advice, meaning, status }] of Object.entries(codes)) {
      const page = await fetch(`${url}/errors/${code}`)
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      const text = await page.text()
      expect(text).toContain(`<h1><code>${code}</code></h1>`)
      expect(text).toContain(`<dd>${status}`)
      const plain = await fetch(`${url}/errors/${code}.md`)
      expect(plain.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      const markdown = await plain.text()
      expect(markdown).toContain(`# ${code}\n\n${meaning}\n\n- What to do: ${advice}\n`)
      expect(index).toContain(`href="/errors/${code}"`)
    }
  })

  test('behavior: pages ignore query parameters', async () => {
    const { url } = await startService()
    for (const path of ['/errors', '/errors/no_route', '/errors/reverts', '/solvency']) {
      const page = await fetch(`${url}${path}?utm_source=x&utm_source=y`)
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ])
    }
    expect((await fetch(`${url}/errors/no_route.md?utm_source=x`)).status).toBe(200)
  })

  test('default: explains every on-chain error of a swap', async () => {
    const { url } = await startService()
    const page = await (await fetch(`${url}/errors/reverts`)).text()
    const text = await (await fetch(`${url}/errors/reverts.md`)).text()
    for (const { advice, meaning, signature } of Object.values(Reverts.byOrigin).flat()) {
      expect(page).toContain(`id="${signature.split('(')[0]}"`)
      expect(text).toContain(`- \`${signature}\`: ${meaning} ${advice}\n`)
    }
  })

  test('error: an unknown code', async () => {
    const { url } = await startService()
    expect(await ask(`${url}/errors/none`)).toMatchObject({ status: 404 })
  })
})

describe('`docs`', () => {
  test('default: every error links to the page of its code on the same service', async () => {
    const { port, url } = await startService()
    const bodies = [
      (await ask(`${url}${quotePath}&exact=2`)).body,
      (await ask(`${url}/nothing`)).body,
      (await ask(`${url}/api/quote/batch`)).body,
      JSON.parse((await askRaw(port, 'nonsense\r\n\r\n')).split('\r\n\r\n')[1]!),
    ]
    expect(bodies.map(({ docs }) => docs)).toEqual(
      (['bad_exact', 'not_found', 'method_not_allowed', 'bad_request'] as const).map(docsPath),
    )
    for (const { docs } of bodies) expect((await fetch(`${url}${docs}`)).status).toBe(200)
  })

  test('behavior: errors of the SDK contain the full URL, for single quotes and batch items', async () => {
    const { url } = await startService()
    const client = createClient({ baseUrl: url })
    const docs = `${url}/errors/bad_out`
    const wrong = { ...trade, out: '0x1' }
    await expect(getQuote(client, wrong)).rejects.toMatchObject({
      code: 'bad_out',
      docs,
      message: expect.stringContaining(`Docs: ${docs}`),
    })
    const [item] = await getQuotes(client, [wrong])
    expect(item).toMatchObject({ ok: false, error: { code: 'bad_out', docs } })
  })
})
