import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from '@sluice/domain'
import { createEngine, openSwapStore } from '@sluice/engine'
import { startPostgres } from '../../packages/engine/test/startPostgres.js'
import { followed } from '../../packages/engine/test/swapLogs.js'
import type { Figure } from '../lib/figures.js'
import { inRepository } from '../lib/repository.js'

const chainId = 8453
const events = 100_000
const blocks = 40_000

/**
 * Measures a backfill of 100,000 events of both generations from a node in another process, through the RPC package, into
 * a file (`all`), and into Postgres if it is installed.
 */
export async function run({ seed = 1 }: { seed?: number }): Promise<Figure[]> {
  const node = await startNode(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-index-'))
  const postgres = await startPostgres().catch(() => undefined)
  try {
    const figures = [await measure('all', { path: join(folder, 'swaps.db') }, node)]
    if (postgres !== undefined)
      figures.push(await measure('postgres', { url: await postgres.createDatabase() }, node))
    return figures
  } finally {
    await postgres?.stop()
    rmSync(folder, { recursive: true })
    node.stop()
  }
}

type Node = {
  url: string
  events: Record<string, number>
  traders: number
  stop: () => void
}

async function startNode(seed: number): Promise<Node> {
  const program = inRepository('bench/index/node.ts')
  const given = [chainId, events, blocks, seed].map(String)
  const child = spawn(process.execPath, [...process.execArgv, program, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { ...JSON.parse(`${line}`), stop: () => child.kill() }
}

async function measure(
  set: string,
  where: Parameters<typeof openSwapStore>[0],
  node: Node,
): Promise<Figure> {
  const engine = createEngine({
    registry: Registry.from({ schema: 1, chains: {} }, [chainId]),
    rpcUrls: new Map([[chainId, [node.url]]]),
    headFreshMs: 1_000,
    maxBlockAge: 'off',
    now: Date.now,
    swapIndex: {
      store: openSwapStore(where),
      chains: new Map([[chainId, { name: 'Base', routers: followed }]]),
    },
  })
  try {
    const startedAt = performance.now()
    engine.startProbing()
    while (engine.indexing()[0]?.part !== 1) await sleep(5)
    const seconds = (performance.now() - startedAt) / 1_000
    await sleep(100)
    const [{ figures } = {}] = (await engine.stats()).chains
    const found = JSON.stringify({ ...figures?.events, traders: figures?.traders })
    const expected = JSON.stringify({ ...node.events, traders: node.traders })
    if (found !== expected)
      throw new Error(`The index has ${found}, but the chain has ${expected}.`)
    const value = Math.round(sum(node.events) / seconds)
    return { bench: 'index', figure: 'events.perSecond', value, unit: 'events/s', set }
  } finally {
    await engine.stop()
  }
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
