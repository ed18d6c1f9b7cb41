import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { QuoteResponse } from '@sluice/api'
import { run } from '@sluice/cli'
import { type Devnet, startDevnet } from '@sluice/devnet'
import { createClient, decodeQuote, parseQuote } from '@sluice/sdk'
import { isSameOutcome, readRegistry } from '@sluice/sdk/verify'
import { repeatQuote } from '@sluice/sdk/viem'
import { startServer } from '@sluice/server'
import fc from 'fast-check'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeAt } from '../src/askNode.js'
import { repeatOnOwnNode } from '../src/ownNode.js'

/** Quotes that each of the four checkers repeats; CI asks for more. */
const count = Number(process.env['REPEATED_QUOTES'] ?? 60)
const seed = Number(process.env['REPEATED_QUOTES_SEED'] ?? 7)

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>
let agent: Client

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    maxLoopDelayMs: 0,
    poolIndex: ':memory:',
  })
  agent = new Client({ name: 'test', version: '1.0.0' })
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
})

afterAll(async () => {
  await agent?.close()
  await server?.stop()
  await devnet?.stop()
})

/** Everyone who checks a quote on a node: whether they find it the same. */
const checkers = {
  async page(quote: QuoteResponse) {
    const parsed = parseQuote(quote)
    const options = { client: service(), registry: registry() }
    return isSameOutcome(await repeatOnOwnNode(nodeAt(rpcUrl()), parsed, options), parsed)
  },
  async sdk(quote: QuoteResponse) {
    const node = createPublicClient({ transport: http(rpcUrl()) })
    const options = { registry: registry(), maxBlockAgeSec: Number.POSITIVE_INFINITY }
    return (await repeatQuote(node, parseQuote(quote), options)).isSame
  },
  async 'command line'(quote: QuoteResponse) {
    const files: Record<string, string> = {
      'quote.json': JSON.stringify(quote),
      'deployments.json': JSON.stringify(devnet.deployments),
    }
    let stdout = ''
    const command = 'repeat --quote quote.json --deployments deployments.json --rpc'
    const code = await run([...command.split(' '), rpcUrl()], {
      stdout: (text) => {
        stdout += text
      },
      stderr: () => {},
      isTty: false,
      env: {},
      readFile: (path) => files[path]!,
    })
    return code === 0 && JSON.parse(stdout).isSame
  },
  async agent(quote: QuoteResponse) {
    const { structuredContent } = await agent.callTool({
      name: 'repeat_quote',
      arguments: { quote },
    })
    const { request, rpcRequest } = structuredContent as {
      request: never
      rpcRequest: { params: unknown[] }
    }
    const result = String(await nodeAt(rpcUrl())('eth_call', rpcRequest.params))
    const own = await decodeQuote(service(), { request, result })
    return isSameOutcome(own, parseQuote(quote))
  },
}

const service = () => createClient({ baseUrl: server.url })
const registry = () => readRegistry(devnet.deployments)
const rpcUrl = () => devnet.chains[0]!.rpcUrl

test('property: every live quote, with whatever its call held, is found the same by every checker', async () => {
  const tokens = Object.values(devnet.chains[0]!.tokens).map(({ address }) => address)
  const token = fc.constantFrom(...tokens)
  const trade = fc.record(
    {
      in: token,
      out: token,
      amountIn: fc.bigInt(10n ** 5n, 10n ** 21n).map(String),
      connectors: fc.array(token, { minLength: 1, maxLength: 3 }).map((hints) => hints.join()),
      gasPrice: fc.constantFrom('0', '1', '1000000000'),
      exact: fc.constant('1'),
      recipient: fc.constant('0x00000000000000000000000000000000000A11cE'),
      version: fc.constant('2'),
    },
    { requiredKeys: ['in', 'out', 'amountIn'] },
  )
  let [quoted, hinted] = [0, 0]
  for (const request of fc.sample(trade, { seed, numRuns: 20 * count })) {
    if (quoted === count) break
    const query = new URLSearchParams({ chain: 'base', ...request })
    const response = await fetch(`${server.url}/api/quote?${query}`)
    if (!response.ok) continue
    const quote = (await response.json()) as QuoteResponse
    if (!quote.quote!.canExecute) continue
    const said = { seed, query: `${query}` }
    for (const [name, isSame] of Object.entries(checkers))
      expect([said, name, await isSame(quote)]).toEqual([said, name, true])
    quoted += 1
    if (quote.meta!.connectors !== undefined) hinted += 1
  }
  expect(quoted).toBe(count)
  expect(hinted).toBeGreaterThan(count / 4)
}, 600_000)

test('error: a forged call or output is never found the same', async () => {
  const query = 'chain=base&in=WETH&out=USDC&amountIn=1000000000000000000'
  const response = await fetch(`${server.url}/api/quote?${query}`)
  const quote = (await response.json()) as QuoteResponse
  const more = { ...quote, amountOut: `${BigInt(quote.amountOut) + 1n}` }
  for (const [name, isSame] of Object.entries(checkers))
    expect([name, await isSame(more)]).toEqual([name, false])

  const call = quote.meta!.call!
  const changes = {
    'another Quoter': { to: '0x00000000000000000000000000000000000000f1' },
    'another amount': { data: call.data.replace(/0de0b6b3a7640000/, '0de0b6b3a7640001') },
    'another function': { data: '0x720fec12' },
  }
  const node = createPublicClient({ transport: http(rpcUrl()) })
  for (const [name, change] of Object.entries(changes)) {
    const forged = { ...quote, meta: { ...quote.meta!, call: { ...call, ...change } } }
    const repeating = repeatQuote(node, parseQuote(forged), { registry: registry() })
    await expect(repeating, name).rejects.toMatchObject({ name: 'IntegrityError', check: 'call' })
  }
})
