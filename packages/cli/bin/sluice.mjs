#!/usr/bin/env node
// In a checkout with its tools the program runs from its sources, which ask for a condition that only the command line of
// Node can set; elsewhere the build runs.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const loader = findLoader()
if (loader === undefined) await import('../dist/bin/sluice.js')
else runSources(loader)

function findLoader() {
  try {
    return import.meta.resolve('tsx')
  } catch {
    return undefined
  }
}

function runSources(tsx) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const options = ['--conditions=development', '--import', tsx, main]
  const args = [...options, ...process.argv.slice(2)]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
  })
}
