#!/usr/bin/env node
/**
 * `npm run build`: compiles every package into its `dist` and the scripts of the pages into `apps/web/dist`, so that the
 * service, the command line and the MCP server run on plain Node, without the development dependencies.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb } from './build-web.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const published = ['sdk', 'cli', 'mcp']
const compiled = join(root, '.sluice/build')

rmSync(compiled, { recursive: true, force: true })
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
for (const name of readdirSync(compiled)) {
  // Published packages have a separate builder that bundles them.
  if (published.includes(name) || !existsSync(join(compiled, name, 'src'))) continue
  const [source, dist] = [join(root, 'packages', name, 'src'), join(root, 'packages', name, 'dist')]
  rmSync(dist, { recursive: true, force: true })
  renameSync(join(compiled, name, 'src'), dist)
  cpSync(source, dist, { recursive: true, filter: (path) => !/\.(test|test-d)?\.?ts$/.test(path) })
}
rmSync(compiled, { recursive: true, force: true })
run('--conditions=development', '--import', 'tsx', 'tools/packages/main.ts')
await buildWeb(join(root, 'apps/web/dist'))
console.log('Built. `npm run serve` runs the service.')

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
