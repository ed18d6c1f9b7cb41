import type { QuoteResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, getQuotes, prepareQuote } from '@sluice/sdk'
import { readRegistry } from '@sluice/sdk/verify'
import { repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInShell } from './lib/runInShell.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

/** The service proposes no pools of its own here, because it has no index. */
let devnet: Devnet
let server: RunningServer

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [1] })
  server = await serveDevnet(devnet)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const pool = () => devnet.chains[0]!.hinted['balancer-v2-factory']!
const trade = () => {
  const { LINK, UNI } = devnet.chains[0]!.tokens
  const pair = { chain: 1, in: LINK!.address, out: UNI!.address }
  return { ...pair, amountIn: 50_000n * 10n ** 18n, gasPrice: 0n }
}
const service = () => createClient({ baseUrl: server.url })

describe('pools', () => {
  test('default: a pool that the caller names wins in a quote, and the answer says that it was named', async () => {
    const [plain, named] = await Promise.all([
      getQuote(service(), trade()),
      getQuote(service(), { ...trade(), pools: [pool().toLowerCase(), pool()] }),
    ])
    expect(plain.meta!.pools).toBeUndefined()
    expect(named.meta!.pools).toEqual([pool()])
    expect(named.amountOut).toBeGreaterThan(plain.amountOut)
    expect(named.route.legs.map(({ venueName }) => venueName)).toContain('balancer-v2-factory')
  })

  test('behavior: a pool with hooks is named by its id, is flagged, and can be excluded', async () => {
    const { hinted, tokens } = devnet.chains[0]!
    const id = hinted['uniswap-v4-hooks']!
    const { UNI, USDe } = tokens
    const request = {
      ...{ chain: 1, in: UNI!.address, out: USDe!.address },
      ...{ amountIn: 40_000n * 10n ** 18n, gasPrice: 0n },
    }
    const excludeSources = ['uniswap-v4-hooks']
    const [plain, named, excluded] = await Promise.all([
      getQuote(service(), request),
      getQuote(service(), { ...request, pools: [id] }),
      getQuote(service(), { ...request, pools: [id], excludeSources }),
    ])
    expect(named.meta!.pools).toEqual([id])
    expect(named.amountOut).toBeGreaterThan(plain.amountOut)
    const flags = named.route.legs.map(({ hooked, venueName }) => [venueName, hooked])
    expect(flags).toContainEqual(['uniswap-v4-hooks', true])
    for (const [venueName, hooked] of flags)
      if (venueName !== 'uniswap-v4-hooks') expect(hooked).toBeUndefined()
    expect(excluded.amountOut).toBe(plain.amountOut)
  })

  test('behavior: a batch, an output and a prepared call pass it on', async () => {
    const { amountIn: _, ...pair } = trade()
    const wanted = { ...pair, amountOut: 30_000n * 10n ** 18n }
    const pools = [pool()]
    const [sold, bought, plain] = await getQuotes(service(), [
      { ...trade(), pools },
      { ...wanted, pools },
      wanted,
    ])
    if (!sold!.ok || !bought!.ok || !plain!.ok) throw new Error('A quote failed.')
    expect([sold!, bought!].map(({ value }) => value.meta!.pools)).toEqual([pools, pools])
    expect(bought!.value.amountIn).toBeLessThan(plain!.value.amountIn)
    const prepared = await prepareQuote(service(), { ...trade(), pools })
    expect(prepared.request.pools).toBe(pool())
    expect(prepared.call.data).toBe(sold!.value.meta!.call!.data)
  })

  test('behavior: the stream passes it on', async () => {
    const query = new URLSearchParams({
      ...{ chain: '1', in: trade().in, out: trade().out },
      ...{ amountIn: `${trade().amountIn}`, pools: pool() },
    })
    const stopping = new AbortController()
    const { signal } = stopping
    const response = await fetch(`${server.url}/api/quote/stream?${query}`, { signal })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!/^data: .*\n\n/m.test(text)) text += (await reader.read()).value
    stopping.abort()
    const [, data] = /^data: (.*)$/m.exec(text)!
    expect((JSON.parse(data!) as QuoteResponse).meta!.pools).toEqual([pool()])
  })

  test('behavior: whoever repeats the quote on their own node finds the same', async () => {
    const quote = await getQuote(service(), { ...trade(), pools: [pool()], explain: true })
    const { rpcUrl } = devnet.chains[0]!
    const node = createPublicClient({ transport: http(rpcUrl) })
    const options = { registry: readRegistry(devnet.deployments) }
    const { isSame, own } = await repeatQuote(node, quote, {
      ...options,
      maxBlockAgeSec: Number.POSITIVE_INFINITY,
    })
    expect([isSame, own.amountOut]).toEqual([true, quote.amountOut])
    const { cast, curl, pools } = quote.explain!.call!
    expect(pools).toEqual([pool()])
    expect(cast).toContain(`,[${BigInt(pool())}])'`)
    const { result } = JSON.parse(await runInShell(curl!, rpcUrl)) as { result: string }
    expect(result).toContain(quote.route.grossOut.toString(16).padStart(64, '0'))
  })

  test('error: a malformed list, and more than eight', async () => {
    for (const [pools, reason] of [
      [['0x12'], 'must be addresses (0x and 40 hexadecimal digits) or ids of pools'],
      [Array<string>(9).fill(pool()), 'must be at most 8 pools'],
    ] as const)
      await expect(getQuote(service(), { ...trade(), pools })).rejects.toMatchObject({
        code: 'bad_param',
        status: 400,
        details: [{ field: 'pools', code: 'bad_param', reason: expect.stringContaining(reason) }],
      })
  })
})
