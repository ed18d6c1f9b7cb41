#!/usr/bin/env node
/**
 * Builds the scripts of the pages into `apps/web/dist`, one file for each page and the parts that it loads later. Plain
 * Node, because it runs before every start; does nothing where the build is newer than its sources.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'apps/web')

/** Each page's script. */
const entries = { home: 'home.tsx', solvency: 'solvency.ts' }
/** Whose sources end up in them. */
const sources = ['apps/web', 'packages/sdk', 'packages/domain', 'packages/abi', 'packages/api']

/** Builds the scripts if they are missing or out of date. If that fails, prints why; the pages work without scripts. */
export async function buildWebIfNeeded() {
  if (isFresh()) return
  try {
    await buildWeb(join(folder, 'dist'))
  } catch (error) {
    console.error(`Cannot build the scripts of the pages: ${error.message}`)
  }
}

export async function buildWeb(dist) {
  const { rolldown } = await import('rolldown')
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  for (const [entry, source] of Object.entries(entries)) {
    const options = optionsOf(entry, source)
    const build = await rolldown(options)
    // What is needed only now and then is a file of its own. Names hold the content's digest, so that files never change.
    const { output } = await build.write({
      dir: dist,
      format: 'esm',
      minify: true,
      entryFileNames: '[name]-[hash:8].js',
      chunkFileNames: '[name]-[hash:8].js',
      ...(source in wholes && {
        codeSplitting: {
          groups: await groupsOf(rolldown, options, source),
          // What only another part needs of a dependency stays out of this one.
          includeDependenciesRecursively: false,
        },
      }),
    })
    await build.close()
    demandBase(output)
  }
}

/** Two files that import each other would run in the wrong order, and everybody would load both. */
function demandBase(output) {
  const base = output.find(({ name }) => name === 'base')
  if (base !== undefined && base.imports.length > 0)
    throw new Error(`The base of the page imports ${base.imports}: move what it needs of that out.`)
}

/** Parts that are one file each with all that they need, by name: many small files compress worse. */
const wholes = { 'home.tsx': { base: 'home.tsx', node: 'proving.ts', late: 'late.ts' } }

/** The base renders addresses; other parts use more of the same file, whose imports must not make it load them. */
const addresses = /\/viem\/_esm\/(utils|errors)\/address/

/** Groups of modules for the wholes of a page; a module of several belongs to the first. */
async function groupsOf(rolldown, options, source) {
  const groups = []
  for (const [name, whole] of Object.entries(wholes[source])) {
    const modules = await modulesOf(rolldown, options, whole)
    const test = (id) => modules.has(id) || (name === 'base' && addresses.test(id))
    groups.push({ name, test, priority: 10 - groups.length })
  }
  return groups
}

/** Modules that a part needs at once: those behind dynamic imports are not. */
async function modulesOf(rolldown, options, source) {
  const leaveDynamic = {
    name: 'leave-dynamic',
    resolveDynamicImport: (specifier) => ({ id: String(specifier), external: true }),
  }
  const build = await rolldown({
    ...options,
    input: { part: join(folder, 'src', source) },
    preserveEntrySignatures: 'strict',
    plugins: [leaveDynamic],
  })
  const { output } = await build.generate({ format: 'esm' })
  await build.close()
  const modules = output.flatMap((file) => Object.entries(file.modules ?? {}))
  return new Set(
    modules.flatMap(([id, { renderedLength }]) =>
      renderedLength > 0 || hasSideEffects(id) ? [id] : [],
    ),
  )
}

function optionsOf(entry, source) {
  return {
    input: { [entry]: join(folder, 'src', source) },
    platform: 'browser',
    preserveEntrySignatures: false,
    resolve: { conditionNames: ['development', 'browser', 'import', 'default'] },
    transform: { jsx: { development: false } },
    treeshake: { moduleSideEffects: hasSideEffects },
  }
}

/** The page's own sources, and the hooks that install themselves. */
function hasSideEffects(id) {
  return id.startsWith(join(folder, 'src')) || id.includes('/preact/hooks/')
}

function isFresh() {
  const dist = join(folder, 'dist')
  const files = existsSync(dist) ? readdirSync(dist) : []
  const isBuilt = (entry) => files.some((file) => file.startsWith(`${entry}-`))
  if (!Object.keys(entries).every(isBuilt)) return false
  const oldest = Math.min(...files.map((file) => statSync(join(dist, file)).mtimeMs))
  return sources.every((source) => newestIn(join(root, source, 'src')) < oldest)
}

function newestIn(path) {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Math.max(...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWebIfNeeded()
