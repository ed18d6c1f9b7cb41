import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployments } from '../../packages/domain/test/deployments.js'
import { startFakeNode } from '../../packages/engine/test/fakeNode.js'
import { randomFrom } from '../../packages/engine/test/randomFrom.js'
import { drawSignals, signalsWithinMs } from '../../packages/server/test/drawSignals.js'
import {
  patientEnv,
  type SignalRun,
  signalProgram,
} from '../../packages/server/test/signalProgram.js'
import type { Figure } from '../lib/figures.js'

const quote = '/api/quote?chain=base&in=WETH&out=USDC&amountIn='

/**
 * Stops the built service by one to five signals at random moments. The signals go to its process group or to its first
 * process. It runs alternately as one process and as two, and is started directly or by npm. Requests that were sent before
 * the first signal must get a response.
 *
 * @param count Number of runs; fifty take five minutes.
 */
export async function run({
  count = 50,
  seed = 1,
}: {
  count?: number
  seed?: number
} = {}): Promise<Figure[]> {
  const random = randomFrom(seed)
  const runs: SignalRun[] = []
  for (let index = 0; index < count; index++) {
    const [workers, by] = [1 + (index % 2), index % 4 < 2 ? 'built' : 'npm'] as const
    const signals = drawSignals(random)
    const told = await runOnce({ by, workers, signals })
    runs.push(told)
    if (told.lost > 0 || told.failed > 0 || (by === 'built' && told.exitCode !== 0))
      console.error(JSON.stringify({ seed, index, by, workers, signals, ...told }))
  }
  const sum = (of: (each: SignalRun) => number) => runs.reduce((total, each) => total + of(each), 0)
  const figure = (name: string, value: number): Figure => ({
    bench: 'signals',
    figure: name,
    value,
    unit: 'count',
    set: `seed ${seed}`,
  })
  return [
    figure('runs', runs.length),
    figure(
      'asked',
      sum(({ asked }) => asked),
    ),
    figure(
      'lost',
      sum(({ lost }) => lost),
    ),
    figure(
      'failed',
      sum(({ failed }) => failed),
    ),
    figure(
      'exit.failures',
      sum(({ exitCode }) => (exitCode === 0 ? 0 : 1)),
    ),
  ]
}

async function runOnce({
  by,
  signals,
  workers,
}: Pick<Parameters<typeof signalProgram>[0], 'signals'> & {
  by: 'built' | 'npm'
  workers: number
}): Promise<SignalRun> {
  const node = await startFakeNode({ chainId: 8_453n })
  const folder = mkdtempSync(join(tmpdir(), 'sluice-signals-'))
  const file = join(folder, 'deployments.json')
  writeFileSync(file, JSON.stringify(deployments))
  node.delayMs = signalsWithinMs / 2
  try {
    return await signalProgram({
      by,
      env: patientEnv({ deployments: file, nodeUrl: node.url, workers }),
      paths: (index) => `${quote}${1_000_000 + index}`,
      signals,
    })
  } finally {
    await node.close()
    rmSync(folder, { recursive: true })
  }
}
