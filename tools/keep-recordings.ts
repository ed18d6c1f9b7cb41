/**
 * Turns the recordings in a file of `sluice check --json` into regression tests: writes each to `e2e/recordings`, where
 * `e2e/recordings.test.ts` repeats it. Usage: `node --import tsx tools/keep-recordings.ts FILE`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A swap on a pool, or a quote for a transaction. */
type Named = { chainId: number; blockNumber: number; amountIn: string } & (
  | { pool: string }
  | { transaction: string }
)

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: node --import tsx tools/keep-recordings.ts FILE')
  process.exit(2)
}
const folder = fileURLToPath(new URL('../e2e/recordings/', import.meta.url))
const { recordings = [] } = JSON.parse(readFileSync(file, 'utf8')) as { recordings?: Named[] }
mkdirSync(folder, { recursive: true })
for (const recording of recordings) {
  const { amountIn, blockNumber, chainId } = recording
  const of = 'pool' in recording ? recording.pool : recording.transaction
  const name = `${chainId}-${blockNumber}-${of.slice(0, 10).toLowerCase()}-${amountIn}.json`
  writeFileSync(join(folder, name), `${JSON.stringify(recording)}\n`)
  console.log(`Wrote e2e/recordings/${name}`)
}
if (recordings.length === 0) console.log('The file has no recordings.')
