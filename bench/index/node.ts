/** A node in a separate process, so that its CPU time does not count. Prints its URL and the expected figures. */
import { createFakeLogChain } from '../../packages/engine/test/fakeLogChain.js'
import { randomFrom } from '../../packages/engine/test/randomFrom.js'
import { startLogNode } from '../../packages/engine/test/startLogNode.js'
import { recount, swapLogs, traderAt } from '../../packages/engine/test/swapLogs.js'

const [chainId, events, blocks, seed] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
]
const traders = 5_000

const random = randomFrom(seed)
const chain = createFakeLogChain({ chainId })
let left = events
for (let block = 1; block <= blocks; block++) {
  const due = Math.ceil(left / (blocks - block + 1))
  const logs: ReturnType<typeof swapLogs> = []
  while (logs.length < due) {
    const version = random() < 0.5 ? '1.0.0' : '2.0.0'
    const trader = traderAt(Math.floor(random() * traders))
    logs.push(...swapLogs(version, trader, { isSurplus: random() < 0.3 }))
  }
  left -= logs.length
  chain.mine(logs)
}
const node = await startLogNode(chain)
console.log(JSON.stringify({ url: node.url, ...recount(chain.blocks) }))
