import { hubAbi } from '@sluice/abi'
import type { Devnet } from '@sluice/devnet'
import { VenueKind } from '@sluice/domain'
import { createClient, getQuote, getSources } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import { hexToString, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf } from '../packages/devnet/test/clients.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

let devnet: Devnet
let server: RunningServer

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await serveDevnet(devnet)
})
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
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
