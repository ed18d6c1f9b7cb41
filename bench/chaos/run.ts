import type { Figure } from '../lib/figures.js'
import { type Chain, createChain } from './Chain.js'
import { runComeback } from './comeback.js'
import { runCrowd } from './crowd.js'
import { runFirstAsk } from './firstAsk.js'
import { runMatrix } from './matrix.js'
import { runRecovery } from './recovery.js'
import { runStorm } from './storm.js'

const blockEveryMs = 400
const stormResponses = 100_000
type Part = (chain: Chain, seed: number, count: number) => Promise<Figure[]>

const parts = {
  matrix: runMatrix,
  firstAsk: runFirstAsk,
  crowd: runCrowd,
  recovery: runRecovery,
  comeback: runComeback,
  storm: runStorm,
} satisfies Record<string, Part>

/**
 * Measures faults of nodes: one at a time compared with viem, then all in a random order from the seed.
 *
 * @param options.only The parts to run. @default all
 * @param options.count Number of responses in the storm. @default 100,000
 */
export async function run(
  options: { count?: number; only?: string[]; seed?: number } = {},
): Promise<Figure[]> {
  const { count = stormResponses, only = [], seed = 1 } = options
  const chain = createChain()
  const clock = setInterval(chain.grow, blockEveryMs)
  const figures: Figure[] = []
  try {
    for (const [name, runPart] of Object.entries(parts))
      if (only.length === 0 || only.includes(name))
        figures.push(...(await runPart(chain, seed, count)))
    return figures
  } finally {
    clearInterval(clock)
  }
}
