#!/usr/bin/env node
/** `npm run serve`: runs the built service, and builds it first if that was not done or the sources are newer. */
import { pathToFileURL } from 'node:url'
import { ensureBuilt, main } from './ensureBuilt.mjs'

if (!ensureBuilt()) {
  console.error(
    'Nothing is built: run `npm ci && npm run build` first, then leave out what only building needs.',
  )
  process.exit(1)
}
// Workers are started as this process was, and have nothing to build.
process.argv[1] = main
await import(pathToFileURL(main).href)
