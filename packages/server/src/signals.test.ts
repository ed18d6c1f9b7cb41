import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deployments } from '../../domain/test/deployments.js'
import { type FakeNode, startFakeNode } from '../../engine/test/fakeNode.js'
import { randomFrom } from '../../engine/test/randomFrom.js'
import { drawSignals, signalsWithinMs } from '../test/drawSignals.js'
import { quotePath } from '../test/harness.js'
import { patientEnv, signalProgram } from '../test/signalProgram.js'

/** Every process compiles its code at the start, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 240_000 })

let node: FakeNode
let folder: string

beforeEach(async () => {
  node = await startFakeNode({ chainId: 8_453n })
  folder = mkdtempSync(join(tmpdir(), 'sluice-signals-'))
})

afterEach(async () => {
  await node.close()
  rmSync(folder, { recursive: true })
})

const env = (workers: number) => {
  const file = join(folder, 'deployments.json')
  writeFileSync(file, JSON.stringify(deployments))
  return patientEnv({ deployments: file, nodeUrl: node.url, workers })
}

test.each([
  ['one process', 1, ['SIGTERM', 'SIGTERM', 'SIGTERM', 'SIGTERM']],
  ['two processes', 2, ['SIGINT', 'SIGTERM', 'SIGINT', 'SIGHUP']],
] as const)('behavior: signals to the group of %s lose no request', async (_, workers, signals) => {
  node.delayMs = 700
  const { asked, exitCode, lost } = await signalProgram({
    env: env(workers),
    paths: (index) => `${quotePath}${index}`,
    signals: signals.map((signal, index) => ({ atMs: 500 + 60 * index, signal, to: 'group' })),
  })
  expect(asked).toBeGreaterThan(10)
  expect([lost, exitCode]).toEqual([0, 0])
})

/** Random times in each run; `npm run bench -- signals --seed N` tests fifty, also through npm. */
const seed = Date.now() % 1_000_000

test.each([1, 2])(
  `behavior: signals at random times lose no request, with %i processes (seed ${seed})`,
  async (workers) => {
    node.delayMs = signalsWithinMs / 2
    const signals = drawSignals(randomFrom(seed + workers))
    const { exitCode, lost } = await signalProgram({
      env: env(workers),
      paths: (index) => `${quotePath}${index}`,
      signals,
    })
    expect({ lost, exitCode, signals }).toEqual({ lost: 0, exitCode: 0, signals })
  },
)
