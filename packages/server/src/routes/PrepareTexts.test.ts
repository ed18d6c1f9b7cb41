import { parseQuoteRequest, rawFromQuery } from '@sluice/api'
import { Preparation } from '@sluice/domain'
import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../../domain/test/deployments.js'
import { sha256 } from '../sha256.js'
import { createPrepareTexts } from './PrepareTexts.js'

const preparedAt = 1_795_000_000_000
const rpcUrl = 'http://127.0.0.1:8545/ü'
const options = {
  registry,
  now: () => preparedAt + 999,
  publicRpcUrls: new Map([[8_453, [rpcUrl]]]),
  digestKey: undefined,
}
const trade = 'chain=base&in=WETH&out=USDC'

/** The schema's reading of a query, written by `JSON.stringify`; `undefined` where the schema refuses it. */
function bySchema(query: string): string | undefined {
  const { raw, repeated } = rawFromQuery(new URLSearchParams(query))
  try {
    const request = parseQuoteRequest(registry, raw, { alreadyWrong: repeated })
    const { chainId } = request.chain
    const url = chainId === 8_453 ? rpcUrl : undefined
    return JSON.stringify(Preparation.from(request, { preparedAt, rpcUrl: url, hash: sha256 }))
  } catch {
    return undefined
  }
}

/** Counts how often a query is read in full, which asks for its chain. */
function watched(served = registry) {
  let reads = 0
  const watching = new Map(served)
  watching.get = (chainId) => {
    reads++
    return served.get(chainId)
  }
  return { texts: createPrepareTexts({ ...options, registry: watching }), reads: () => reads }
}

const part = fc.constantFrom(
  ...['chain=base', 'chain=8453', 'in=WETH', 'in=ETH', 'out=USDC', `out=${tokens.dai}`],
  ...['slippageBps=50', 'slippageBps=5001', 'deadlineSec=60', `recipient=${tokens.dai}`],
  ...['amountIn=7', 'amountIn=007', 'amountIn=0', 'amountIn=', 'amountIn=%31', 'amountIn=1e3'],
  ...[`amountIn=${'9'.repeat(77)}`, `amountIn=${'9'.repeat(78)}`, 'amountin=5', 'xamountIn=5'],
  ...['exact=1', '', 'amountIn', '=', '%61mountIn=5', 'amountIn=5#', 'in=amountIn=5'],
)
const query = fc
  .array(part, { maxLength: 3 })
  .chain((more) =>
    fc.shuffledSubarray([...trade.split('&'), 'amountIn=8', ...more], { minLength: 4 }),
  )
  .map((parts) => parts.join('&'))

describe('createPrepareTexts', () => {
  test('property: whatever was asked before, what the schema reads is prepared and nothing else', () => {
    const texts = createPrepareTexts(options)
    let found = 0
    fc.assert(
      fc.property(query, (asked) => {
        const answer = texts.find(asked)
        if (answer === undefined) return
        found++
        expect(answer.text).toBe(bySchema(asked))
        expect(answer.bytes).toBe(Buffer.byteLength(answer.text))
      }),
      { numRuns: 10_000, seed: 7 },
    )
    expect(found).toBeGreaterThan(500)
  })

  test('behavior: the same trade in another amount is not read again', () => {
    const { reads, texts } = watched()
    for (const amount of ['1', '2', '3', '3'])
      expect(texts.find(`${trade}&amountIn=${amount}`)?.text).toBe(
        bySchema(`${trade}&amountIn=${amount}`),
      )
    expect(reads()).toBe(1)
  })

  test('behavior: the next second is another answer', () => {
    let now = preparedAt
    const texts = createPrepareTexts({ ...options, now: () => now })
    const prepared = () => JSON.parse(texts.find(`${trade}&amountIn=1`)!.text).request
    const first = prepared()
    now += 1_000
    const second = prepared()
    expect([second.preparedAt, second.expiresAt]).toEqual([now, now + 120_000])
    expect(second.digest).not.toBe(first.digest)
  })

  test('behavior: no more than 1,000 trades are kept', () => {
    const { reads, texts } = watched()
    const ask = (slippageBps: number) =>
      texts.find(`${trade}&amountIn=1&slippageBps=${slippageBps}`)
    for (let slippageBps = 0; slippageBps <= 1_000; slippageBps++) ask(slippageBps)
    expect(reads()).toBe(1_001)
    ask(1)
    expect(reads()).toBe(1_001)
    ask(0)
    expect(reads()).toBe(1_002)
  })

  test('behavior: what brings whole contracts along is not kept', () => {
    const stateOverride = { [tokens.dai]: { code: `0x${'60'.repeat(10_000)}` } } as const
    const base = { ...registry.get(8_453)!, stateOverride }
    const { reads, texts } = watched(new Map([[8_453, base]]))
    texts.find(`${trade}&amountIn=1`)
    texts.find(`${trade}&amountIn=1`)
    expect(reads()).toBe(2)
  })

  test('behavior: gives the hints that are known for the amount', () => {
    let known: readonly Address[] = [tokens.dai]
    const hintsFor = ({ amountIn }: { amountIn: bigint }) => (amountIn > 100n ? known : [])
    const texts = createPrepareTexts({ ...options, hintsFor })
    const of = (amountIn: string) => JSON.parse(texts.find(`${trade}&amountIn=${amountIn}`)!.text)
    const named = (amountIn: string, connectors: string) =>
      JSON.parse(bySchema(`${trade}&amountIn=${amountIn}&connectors=${connectors}`)!)
    expect(of('50')).toEqual(JSON.parse(bySchema(`${trade}&amountIn=50`)!))
    expect(of('500')).toEqual(named('500', tokens.dai))
    expect(of('60')).toEqual(JSON.parse(bySchema(`${trade}&amountIn=60`)!))
    known = [tokens.slu]
    expect(of('600')).toEqual(named('600', tokens.slu))
  })
})
