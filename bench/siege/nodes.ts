/** Runs three healthy nodes of one chain in a separate process. The first argument is their response time in ms. */
import { createChain } from '../chaos/Chain.js'
import { startChaosNode } from '../chaos/ChaosNode.js'

const chain = createChain()
const nodes = await Promise.all([1, 2, 3].map(() => startChaosNode(chain)))
for (const node of nodes) node.delayMs = Number(process.argv[2])
setInterval(chain.grow, 2_000)
process.on('message', (delayMs: number) => {
  for (const node of nodes) node.delayMs = delayMs
})
process.send!(nodes.map(({ url }) => url))
