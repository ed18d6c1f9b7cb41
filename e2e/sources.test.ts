import { hubAbi } from '@sluice/abi'
import type { Devnet } from '@sluice/devnet'
import { VenueKind } from '@sluice/domain'
import { createClient, decodeQuote, getQuote, getSources, prepareQuote } from '@sluice/sdk'
import { prepare, readRegistry, verifyTransaction, withSources } from '@sluice/sdk/verify'
import { repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import { hexToString, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { clientOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ chainIds: [8453] }, (running) => {
  ;({ devnet, server } = running)
})

/** Reads the venues from the Hub. */
async function readHub() {
  const address = devnet.deployments.chains['8453']!.versions['1.0.0']!.hub
  const functionName = 'venues'
  const venues = await clientOf(devnet.chains[0]!).readContract({
    address,
    abi: hubAbi,
    functionName,
  })
  return venues.map(({ factory, id, venue }) => ({
    name: hexToString(id, { size: 32 }),
    kind: venue.kind,
    factory,
  }))
}

const request = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 400n * 10n ** 18n }

test("default: lists the Hub's venues, in the Hub's order", async () => {
  const { sources } = await getSources(createClient({ baseUrl: server.url }), { chain: 'base' })
  expect(
    sources.map(({ enabled, factory, kind, venue, venueName }) => {
      return { enabled, factory, kind: VenueKind.numberOf(kind), venue, venueName }
    }),
  ).toEqual(
    (await readHub()).map(({ factory, kind, name }, index) => {
      return { enabled: true, factory, kind, venue: index + 1, venueName: name }
    }),
  )
  expect(sources.map(({ kind, venueName }) => [venueName, kind])).toContainEqual([
    'uniswap-v3',
    'uniswapV3',
  ])
})

test("behavior: legs contain the venue's name and the pool's fee", async () => {
  const client = createClient({ baseUrl: server.url })
  await getSources(client, { chain: 'base' })
  const { route } = await getQuote(client, request)
  const chain = clientOf(devnet.chains[0]!)
  expect(new Set(route.legs.map(({ kind }) => kind)).size).toBeGreaterThan(1)
  const venues = await readHub()
  for (const { feePips, kind, pool, venue, venueName } of route.legs) {
    const configured = venues[venue - 1]!
    expect([venueName, VenueKind.numberOf(kind!)]).toEqual([configured.name, configured.kind])
    if (kind !== 'uniswapV3') continue
    const abi = parseAbi(['function fee() view returns (uint24)'])
    const functionName = 'fee'
    expect(feePips).toBe(await chain.readContract({ address: pool, abi, functionName }))
  }
})

/** The venues of a quote's legs. */
function venuesOf({ route }: { route: { legs: readonly { venueName?: string | undefined }[] } }) {
  return [...new Set(route.legs.map(({ venueName }) => venueName))]
}

test('behavior: a route keeps to the venues that are allowed, and the call says so', async () => {
  const client = createClient({ baseUrl: server.url })
  const free = await getQuote(client, request)
  const [first] = venuesOf(free)
  expect(free.sources).toBeUndefined()

  const without = await getQuote(client, { ...request, excludeSources: [first!] })
  expect(venuesOf(without)).not.toContain(first)
  expect(without.sources).not.toContain(first)
  expect(without.amountOut).toBeLessThan(free.amountOut)
  // The bound is over the venues that were allowed.
  expect(without.quote!.upperBound!).toBeLessThan(free.quote!.upperBound!)

  const only = await getQuote(client, { ...request, includeSources: [first!] })
  expect(venuesOf(only)).toEqual([first])
  expect(only.sources).toEqual([first])

  const registry = readRegistry(devnet.deployments)
  const repeated = await repeatQuote(clientOf(devnet.chains[0]!), without, { registry })
  expect(repeated.isSame).toBe(true)
})

test('behavior: prepare and decode keep to them', async () => {
  const client = createClient({ baseUrl: server.url })
  const asked = { ...request, gasPrice: 0n, includeSources: ['uniswap-v2'] }
  const live = await getQuote(client, asked)
  const prepared = await prepareQuote(client, asked)
  const chain = clientOf(devnet.chains[0]!)
  const result = await chain.request({
    method: 'eth_call',
    params: [prepared.call, 'latest'] as never,
  })
  const decoded = await decodeQuote(client, {
    request: prepared.request,
    result: result as `0x${string}`,
  })
  expect(decoded.amountOut).toBe(live.amountOut)
  expect(new Set(decoded.route.legs.map(({ pool }) => pool))).toEqual(
    new Set(live.route.legs.map(({ pool }) => pool)),
  )
})

test('behavior: the SDK prepares a call with names as the API does, and signs no route that leaves them', async () => {
  const client = createClient({ baseUrl: server.url })
  const registry = withSources(
    readRegistry(devnet.deployments),
    await getSources(client, { chain: 'base' }),
  )
  const recipient = devnet.account.address
  const asked = { ...request, gasPrice: 0n, includeSources: ['uniswap-v2'], recipient }
  const theirs = await prepareQuote(client, asked)
  const ours = prepare(asked, { registry, now: theirs.request.preparedAt })
  expect(ours.call).toEqual(theirs.call)
  expect(ours.request).toEqual(theirs.request)

  const quote = await getQuote(client, asked)
  const options = { quote, registry }
  expect(verifyTransaction(quote.tx!, { ...options, request: asked }).route.legs.length).toBe(
    quote.route.legs.length,
  )
  const other = { ...asked, includeSources: ['uniswap-v3'] }
  expect(() => verifyTransaction(quote.tx!, { ...options, request: other })).toThrow(
    'which `includeSources` does not allow',
  )
})

test.each([
  [{ excludeSources: 'sushi-v9' }, 'excludeSources', 'send some of'],
  [{ includeSources: 'uniswap-v2', excludeSources: 'uniswap-v3' }, 'excludeSources', 'combined'],
  [{ includeSources: '' }, 'includeSources', 'comma-separated'],
])('error: %j is refused with its field', async (change, field, reason) => {
  const query = { ...request, amountIn: `${request.amountIn}`, ...change }
  const response = await fetch(`${server.url}/api/quote?${new URLSearchParams(query)}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'bad_param',
    details: [{ field, reason: expect.stringContaining(reason) }],
  })
})

test('error: nothing is left', async () => {
  const client = createClient({ baseUrl: server.url })
  const { sources } = await getSources(client, { chain: 'base' })
  const excludeSources = sources.map(({ venueName }) => venueName)
  await expect(getQuote(client, { ...request, excludeSources })).rejects.toThrow('leaves no venue')
})
