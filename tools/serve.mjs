#!/usr/bin/env node
/** `npm run serve`: runs the built service. Builds it first if there is no build, or if the sources are newer. */
import { pathToFileURL } from 'node:url'
import { ensureBuilt, main } from './ensureBuilt.mjs'

if (!ensureBuilt()) {
  console.error(
    'There is no build. Run `npm ci && npm run build` first; the development dependencies may be removed after that.',
  )
  process.exit(1)
}
// Workers are started with the same arguments as this process, and must run the service directly.
process.argv[1] = main
await import(pathToFileURL(main).href)
