#!/usr/bin/env node
// Runs the program from its sources: they ask for a condition, which only the command line of Node can set.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const options = ['--conditions=development', '--import', import.meta.resolve('tsx'), main]
const child = spawn(process.execPath, [...options, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
})
