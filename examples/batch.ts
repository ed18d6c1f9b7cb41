/**
 * Quotes several trades with one request, then repeats the quotes with one JSON-RPC batch on your own node.
 *
 *     npm start
 *     node --conditions=development --import tsx examples/batch.ts
 */
import { createClient, decodeQuotes, getQuotes } from '@sluice/sdk'
import { isSameOutcome, prepareRepeat, readRegistry } from '@sluice/sdk/verify'
import { parseEther } from 'viem'
import { nodeUrl, pinnedDeployments, serviceUrl } from './setup.js'

const client = createClient({ baseUrl: serviceUrl })
const sizes = ['0.1', '1', '10', '100', '1000']
const requests = [
  ...sizes.map((size) => ({ chain: 'base', in: 'ETH', out: 'USDC', amountIn: parseEther(size) })),
  { chain: 'base', in: 'USDC', out: 'USDC', amountIn: 1n },
]

// Each item succeeds or fails on its own.
const live = await getQuotes(client, requests)
for (const [index, item] of live.entries())
  console.log(
    item.ok
      ? `${sizes[index]} ETH: ${item.value.amountOut} over ${item.value.route.legs.length} legs`
      : `Rejected with ${item.error.code}: ${item.error.shortMessage}`,
  )

// The calls behind the quotes, each on the block of its quote.
const registry = readRegistry(pinnedDeployments)
const quotes = live.flatMap((item) => (item.ok ? [item.value] : []))
if (quotes.length === 0) throw new Error('No quote succeeded, so there is nothing to check.')
const repeats = quotes.map((quote) => prepareRepeat(quote, { registry }))
const response = await fetch(nodeUrl, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(repeats.map(({ rpcRequest }, id) => ({ ...rpcRequest, id }))),
})
const answers = (await response.json()) as { id: number; result: string }[]
const own = await decodeQuotes(
  client,
  answers.map(({ id, result }) => ({ request: repeats[id]!.request, result })),
)
const isSame = answers.every(({ id }, place) => {
  const item = own[place]
  return item?.ok === true && isSameOutcome(item.value, quotes[id]!)
})
console.log(`Your node computes ${isSame ? 'the same quotes' : 'other quotes'}.`)
if (!isSame) process.exitCode = 1
