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

/** Entries of the package: what is imported, and the source behind it. */
export const entries = {
  index: 'index',
  verify: 'verify/index',
  viem: 'viem/index',
  undeployed: 'undeployed/index',
} as const

/** Most bytes of an entry, minified and gzipped, as an application would load it; peers excepted. */
export const budgetBytes = { index: 5 * 1024, verify: 18 * 1024, viem: 24 * 1024 } as const

/** Modules that the published package may import. */
const isPeer = (specifier: string) => specifier === 'viem' || specifier.startsWith('viem/')

/**
 * Builds the publishable package into `dist`: the code with this repository's packages inlined, declarations that name
 * no other package than viem, and a manifest of its own without the condition that the repository's tools use.
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

/** Bytes of one entry with all that it loads, minified and gzipped; peers excepted. */
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

/** Declarations by the compiler; those of the wire, which the schemas infer, are written out in plain types. */
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

/** Copies a declaration file and those it needs. */
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

/** Types of the wire by the names that the SDK imports them under: `quoteResponse` gives `QuoteResponse`. */
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
