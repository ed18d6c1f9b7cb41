import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Devnet } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInShell } from './lib/runInShell.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

const path = join(import.meta.dirname, '../docs/integrating.md')
/** The line of each section, by the section's heading. */
const lines = new Map(
  readFileSync(path, 'utf8')
    .split(/^## /m)
    .flatMap((section) => {
      const line = /^ {4}(curl .*)$/m.exec(section)?.[1]
      return line === undefined ? [] : [[section.split('\n')[0]!, line] as const]
    }),
)

let devnet: Devnet
let server: RunningServer

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await serveDevnet(devnet, {
    marketData: [{ kind: 'dexscreener', name: 'devnet', url: devnet.marketUrl }],
  })
})
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

/** Runs the line of a section on the test's service. */
function run(heading: string): Promise<string> {
  const line = lines.get(heading)!.replace('http://127.0.0.1:8080', server.url)
  return runInShell(line, devnet.chains[0]!.rpcUrl)
}

const weth = () => devnet.chains[0]!.tokens['WETH']!.address
const contracts = () => devnet.deployments.chains['8453']!.versions

/** What the answers say, by heading. Functions, because the addresses are known once the chain runs. */
const answers: Record<string, () => unknown> = {
  'What does this trade pay, after all fees?': () => ({
    ok: true,
    amountOut: expect.stringMatching(/^2[67]\d{8}$/),
    quote: { upperBound: expect.stringMatching(/^2[67]\d{8}$/), gapBps: expect.any(Number) },
  }),
  'What does it cost to receive an exact amount?': () => ({
    ok: true,
    amountIn: expect.stringMatching(/^9\d{17}$/),
    amountOut: expect.stringMatching(/^25000000\d\d$/),
    exactOutput: {
      amountOut: '2500000000',
      amountInMax: expect.stringMatching(/^9\d{17}$/),
      lowerBound: expect.stringMatching(/^9\d{17}$/),
      gapBps: expect.any(Number),
    },
  }),
  'How do I earn a fee?': () => ({
    ok: true,
    quote: { integratorFeeBps: 25, integratorFee: expect.stringMatching(/^6\d{6}$/) },
    tx: { data: expect.stringMatching(/^0x5482daa6/) },
  }),
  'Which venues does the route use, and which are there?': () => ({
    sources: expect.arrayContaining([
      expect.objectContaining({ venueName: 'uniswap-v2', kind: 'uniswapV2', feePips: 3_000 }),
    ]),
  }),
  'Can I choose the venues?': () => ({
    sources: ['uniswap-v2', 'uniswap-v3'],
    route: { legs: expect.arrayContaining([expect.objectContaining({ kind: 'uniswapV3' })]) },
    quote: { gapBps: expect.any(Number) },
  }),
  'Can I name a pool?': () => ({
    meta: { pools: ['0xbA1333333333a1BA1108E8412f11850A5C319bA9'] },
    quote: { canExecute: true },
  }),
  'Which tokens can I show, with decimals?': () => ({
    tokens: expect.arrayContaining([
      expect.objectContaining({ address: weth(), symbol: 'WETH', decimals: 18 }),
    ]),
  }),
  'What is a token worth?': () => ({
    prices: [
      { symbol: 'WETH', usd: expect.stringMatching(/^2[67]\d\d\./) },
      { symbol: 'DAI', usd: expect.stringMatching(/^(1\.00|0\.99)/) },
    ],
  }),
  'What is the trade worth in dollars?': () => ({
    usd: { in: expect.stringMatching(/^1[45]\d\./), out: expect.stringMatching(/^1[45]\d\./) },
  }),
  'What does the wallet lack, and which transactions remain?': () => ({
    issues: { allowance: { spender: contracts()['1.0.0']!.router } },
  }),
  'Can the user sign in place of an approval?': () => ({
    permit: { kind: 'permit', typedData: { primaryType: 'Permit' } },
  }),
  'What can a contract account use?': () => ({
    warnings: [{ code: 'permit_unavailable' }],
    issues: { allowance: { spender: contracts()['2.0.0']!.router }, balance: { actual: '0' } },
  }),
  'Can I quote on my own node?': () => ({
    contracts: { quoter: contracts()['1.0.0']!.quoter },
    rpcRequest: { method: 'eth_call' },
  }),
  'Can I quote what a pending trade would change?': () => ({
    results: [
      { amountOut: expect.stringMatching(/^2[67]\d{8}$/), quote: { canExecute: true } },
      {
        amountOut: expect.stringMatching(/^98\d{8}$/),
        overrides: { accounts: 1, slots: 1 },
        quote: { canExecute: false },
        warnings: [{ code: 'state_overridden' }],
      },
    ],
  }),
  'Why this route, and what would others deliver?': () => ({
    explain: {
      alternatives: [{ kind: 'single_pool' }, { kind: 'single_path' }],
      call: { curl: expect.stringContaining('"$RPC_URL"') },
      minimum: { decidedBy: 'floor' },
    },
  }),
  'Why is there no route?': () => ({
    code: 'no_route',
    details: [{ code: 'nothing_out' }],
    explain: {
      pools: expect.arrayContaining([expect.objectContaining({ verdict: 'rounds_to_zero' })]),
    },
  }),
  'Is the liquidity of a token real?': () => ({ ok: true, resolved: { symbol: 'MIRAGE' } }),
}

test.each(Object.keys(answers))('default: %s', async (heading) => {
  // A machine that is busy with other tests may not read everything in time at first.
  await expect
    .poll(async () => JSON.parse(await run(heading)))
    .toMatchObject(answers[heading]!() as object)
})

test('default: Can I have each new quote pushed?', async () => {
  expect(await run('Can I have each new quote pushed?')).toMatch(
    /event: quote\nid: \d+\ndata: \{"ok":true/,
  )
})

test('default: Can I draw the route?', async () => {
  const picture = await run('Can I draw the route?')
  expect(picture).toMatch(/^<svg [\s\S]+Uniswap V3[\s\S]+<\/svg>\s*$/)
  expect(picture).not.toContain('<script')
})

test('default: Can an agent use it?', async () => {
  const answer = await run('Can an agent use it?')
  expect(answer).toContain('amount was read as 1.5 WETH (1500000000000000000 base units).')
})

test('default: Can I install a client?', async () => {
  expect(await run('Can I install a client?')).toContain('npm install @sluice/sdk')
})

test('default: each section with a line is tried', () => {
  const others = [
    'Can I have each new quote pushed?',
    'Can I draw the route?',
    'Can an agent use it?',
    'Can I install a client?',
  ]
  expect([...lines.keys()].toSorted()).toEqual([...Object.keys(answers), ...others].toSorted())
})

test('default: each row of the table names a section with a line, and each section has a row', () => {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z ]/g, '')
      .replaceAll(' ', '-')
  const linked = readFileSync(path, 'utf8').matchAll(/^\| \[[^\]]+\]\(#([a-z-]+)\)/gm)
  expect([...linked].map(([, anchor]) => anchor).toSorted()).toEqual(
    [...lines.keys()].map(anchorOf).toSorted(),
  )
})
