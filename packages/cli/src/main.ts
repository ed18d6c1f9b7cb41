#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { programs, run } from './run.js'

const [name, ...rest] = process.argv.slice(2)

if (name === 'serve' && rest.includes('--help')) {
  const { serveHelp } = await import('./serveHelp.js')
  process.stdout.write(`${serveHelp}\n`)
} else if (name !== undefined && Object.hasOwn(programs, name)) {
  // Removes the program's name, because the program reads `process.argv` itself.
  process.argv.splice(2, 1)
  await start(name as keyof typeof programs)
} else {
  process.exitCode = await run(process.argv.slice(2), {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    isTty: process.stdout.isTTY === true,
    env: process.env,
    readFile: (path) => readFileSync(path === '-' ? 0 : path, 'utf8'),
  })
}

/** Loads a program on demand: a quote needs neither the HTTP server nor the contracts' bytecode. */
function start(program: keyof typeof programs): Promise<unknown> {
  switch (program) {
    case 'serve':
      return import('@sluice/server/main')
    case 'devnet':
      return import('@sluice/devnet/main')
    case 'deploy':
      return import('@sluice/deploy/main')
  }
}
