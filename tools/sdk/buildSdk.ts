import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as api from '@sluice/api'
import { type InputOptions, rolldown } from 'rolldown'
import type { z } from 'zod'
import { plainType } from './plainTypes.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'packages/sdk/src')

/** Entry points of the package, and their source files. */
export const entries = {
  index: 'index',
  verify: 'verify/index',
  viem: 'viem/index',
  undeployed: 'undeployed/index',
} as const

/** Maximum bytes of each entry point with its imports, minified and gzipped, without peer dependencies. */
export const budgetBytes = { index: 5 * 1024, verify: 18 * 1024, viem: 24 * 1024 } as const

/** Modules that the published package may import. */
const isPeer = (specifier: string) => specifier === 'viem' || specifier.startsWith('viem/')

/**
 * Builds the publishable package into `dist`: code with this repository's packages inlined, type declarations that
 * import only viem, and a package.json without the `development` condition of this repository's tools.
 */
export async function buildSdk(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  await bundle(dist)
  emitTypes(dist)
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  for (const file of ['README.md', 'LICENSE'])
    for (const folder of [root, join(root, 'packages/sdk')])
      if (existsSync(join(folder, file))) cpSync(join(folder, file), join(dist, file))
}

/** Returns the bytes of an entry point with all its imports, minified and gzipped, without peer dependencies. */
export async function gzipSizeOf(entry: keyof typeof entries): Promise<number> {
  const build = await rolldown({ ...inputOptions, input: join(source, `${entries[entry]}.ts`) })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  return gzipSync(output[0].code, { level: 9 }).length
}

const inputOptions = {
  external: isPeer,
  resolve: { conditionNames: ['development', 'import', 'default'] },
  treeshake: { moduleSideEffects: false },
} satisfies InputOptions

async function bundle(dist: string): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [name, join(source, `${path}.ts`)]),
  )
  const build = await rolldown({ ...inputOptions, input })
  await build.write({ dir: dist, format: 'esm', chunkFileNames: 'shared/[name].js' })
  await build.close()
}

/** Writes the compiler's declarations. Types that zod infers from the schemas are written out as plain types. */
function emitTypes(dist: string): void {
  const out = mkdtempSync(join(tmpdir(), 'sluice-sdk-types-'))
  try {
    const project = join(out, 'tsconfig.json')
    writeFileSync(project, JSON.stringify(typesProject(out)))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' })
    const emitted = join(out, 'packages/sdk/src')
    const seen = new Set<string>()
    for (const path of Object.values(entries)) copyTypes(emitted, `${path}.d.ts`, dist, seen)
    writeFileSync(join(dist, 'schemas.d.ts'), schemaTypes())
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

function typesProject(out: string) {
  return {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: root,
      outDir: out,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: Object.values(entries).map((path) => join(source, `${path}.ts`)),
  }
}

/** Copies a declaration file and the files that it imports. */
function copyTypes(from: string, path: string, dist: string, seen: Set<string>): void {
  if (seen.has(path)) return
  seen.add(path)
  const schemas = relative(dirname(path), 'schemas.js')
  const text = readFileSync(join(from, path), 'utf8').replaceAll(
    /(['"])@sluice\/api\1/g,
    `'${schemas.startsWith('.') ? schemas : `./${schemas}`}'`,
  )
  mkdirSync(dirname(join(dist, path)), { recursive: true })
  writeFileSync(join(dist, path), text)
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
    if (isPeer(specifier!) || specifier!.endsWith('schemas.js')) continue
    if (!specifier!.startsWith('.'))
      throw new Error(`${path} declares types of ${specifier}, which is not published.`)
    copyTypes(from, join(dirname(path), specifier!.replace(/\.js$/, '.d.ts')), dist, seen)
  }
}

/** Returns the types of all schemas, with the names that the SDK imports: `quoteResponse` becomes `QuoteResponse`. */
export function schemaTypes(): string {
  const answers = Object.entries(api).flatMap(([name, value]) =>
    name.endsWith('Response')
      ? [[`${name[0]!.toUpperCase()}${name.slice(1)}`, plainType(value as z.ZodType)]]
      : [],
  )
  const union = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ')
  return [
    ['Code', union(Object.keys(api.codes))],
    ['ParameterName', union(api.parameterNames)],
    ...answers,
  ]
    .map(([name, type]) => `export type ${name} = ${type}\n`)
    .join('\n')
}

function manifest() {
  const { name, version, license, type, sideEffects } = JSON.parse(
    readFileSync(join(root, 'packages/sdk/package.json'), 'utf8'),
  )
  const { dependencies } = JSON.parse(
    readFileSync(join(root, 'packages/domain/package.json'), 'utf8'),
  )
  const exports = Object.entries(entries).map(([entry, path]) => [
    entry === 'index' ? '.' : `./${entry}`,
    { types: `./${path}.d.ts`, default: `./${entry}.js` },
  ])
  return {
    name,
    version,
    description: 'A typed client of the Sluice DEX aggregator that checks what it is told.',
    license,
    type,
    sideEffects,
    engines: { node: '>=20.19' },
    exports: Object.fromEntries([...exports, ['./package.json', './package.json']]),
    peerDependencies: { viem: `^${dependencies.viem}` },
    peerDependenciesMeta: { viem: { optional: true } },
    publishConfig: { access: 'public', provenance: true },
  }
}
