/**
 * Many quotes at once: live from the service, then as one JSON-RPC batch for a node of one's own.
 *
 *     npm start
 *     node --conditions=development --import tsx examples/batch.ts
 */
import { createClient, decodeQuotes, getQuotes, prepareQuotes } from '@sluice/sdk'
import { parseEther } from 'viem'
import { nodeUrl, serviceUrl } from './setup.js'

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
      : `Refused with ${item.error.code}: ${item.error.shortMessage}`,
  )

const { items, rpcBatch } = await prepareQuotes(client, requests)
const response = await fetch(nodeUrl, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(rpcBatch),
})
const answers = (await response.json()) as { id: number; result: string }[]
const pairs = answers.flatMap(({ id, result }) => {
  const item = items[id]
  return item?.ok ? [{ request: item.request, result }] : []
})
const decoded = await decodeQuotes(client, pairs)
const outputs = (list: typeof live | typeof decoded) =>
  list.flatMap((item) => (item.ok ? [item.value.amountOut] : [])).join()
console.log(
  `The node's own answers are ${outputs(decoded) === outputs(live) ? 'the same' : 'others'}.`,
)
if (outputs(decoded) !== outputs(live)) process.exitCode = 1
