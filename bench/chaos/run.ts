import type { Figure } from '../lib/figures.js'
import { createChain } from './Chain.js'
import { runCrowd } from './crowd.js'
import { runMatrix } from './matrix.js'
import { runRecovery } from './recovery.js'
import { runStorm } from './storm.js'

const blockEveryMs = 400
const stormResponses = 100_000

/** Faults of nodes, one by one beside viem, then all at once in an order drawn from the seed. */
export async function run({ seed = 1 }: { seed?: number } = {}): Promise<Figure[]> {
  const chain = createChain()
  const clock = setInterval(chain.grow, blockEveryMs)
  try {
    const matrix = await runMatrix(chain, seed)
    const crowd = await runCrowd(chain)
    const recovery = await runRecovery(chain)
    return [...matrix, ...crowd, ...recovery, ...(await runStorm(chain, seed, stormResponses))]
  } finally {
    clearInterval(clock)
  }
}
