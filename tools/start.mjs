#!/usr/bin/env node
/**
 * `npm start`: installs what is missing and runs everything. Plain Node without dependencies, because it runs before
 * they are installed. Arguments are passed to the program, for example `npm start -- --port 0`. The addresses of all
 * contracts are written to `.sluice/deployments.json`, where the examples read them.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWebIfNeeded } from './build-web.mjs'
import { demandNode, installIfNeeded } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

demandNode()
installIfNeeded()
await buildWebIfNeeded()
const kept = join(root, '.sluice')
mkdirSync(kept, { recursive: true })
const defaults = ['--out', join(kept, 'deployments.json')]
run([join(root, 'packages/devnet/src/main.ts'), 'start', ...defaults, ...process.argv.slice(2)])

function run(args) {
  const child = spawn(process.execPath, ['--conditions=development', '--import', 'tsx', ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
