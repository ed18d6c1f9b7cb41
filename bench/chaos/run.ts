import type { Figure } from '../lib/figures.js'
import { createChain } from './Chain.js'
import { runCrowd } from './crowd.js'
import { runMatrix } from './matrix.js'
import { runRecovery } from './recovery.js'
import { runStorm } from './storm.js'

const blockEveryMs = 400
const stormResponses = 100_000
const parts = {
  matrix: runMatrix,
  crowd: runCrowd,
  recovery: runRecovery,
  storm: (chain, seed) => runStorm(chain, seed, stormResponses),
} satisfies Record<string, (chain: ReturnType<typeof createChain>, seed: number) => unknown>

/**
 * Faults of nodes, one by one beside viem, then all at once in an order drawn from the seed.
 *
 * @param options.only The parts to run. @default all
 */
export async function run(options: { seed?: number; only?: string[] } = {}): Promise<Figure[]> {
  const { only = [], seed = 1 } = options
  const chain = createChain()
  const clock = setInterval(chain.grow, blockEveryMs)
  const figures: Figure[] = []
  try {
    for (const [name, runPart] of Object.entries(parts))
      if (only.length === 0 || only.includes(name)) figures.push(...(await runPart(chain, seed)))
    return figures
  } finally {
    clearInterval(clock)
  }
}
