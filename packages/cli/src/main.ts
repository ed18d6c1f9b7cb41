#!/usr/bin/env node
/** The command line in a checkout of the repository: all commands, and the programs that run the service. */
import { programs } from './programs.js'

const [name, ...rest] = process.argv.slice(2)

if (name === 'serve' && rest.includes('--help')) {
  const { serveHelp } = await import('./serveHelp.js')
  process.stdout.write(`${serveHelp}\n`)
} else if (name !== undefined && Object.hasOwn(programs, name)) {
  // Removes the program's name, because the program reads `process.argv` itself.
  process.argv.splice(2, 1)
  await start(name as keyof typeof programs)
} else {
  const { runHere } = await import('./runHere.js')
  await runHere()
}

/** Loads what is asked for alone: a quote needs neither the HTTP server nor the contracts' bytecode. */
function start(program: keyof typeof programs): Promise<unknown> {
  switch (program) {
    case 'serve':
      return import('@sluice/server/main')
    case 'devnet':
      return import('@sluice/devnet/main')
    case 'deploy':
      return import('@sluice/deploy/main')
    case 'check':
      return import('@sluice/deploy/check')
    case 'announce':
      return import('@sluice/deploy/announce')
  }
}
