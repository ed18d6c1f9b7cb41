import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import * as api from '@sluice/api'
import type { z } from 'zod'
import { plainType } from './plainTypes.js'
import { find, isPeer, type PackageName, published, root } from './published.js'

/**
 * Writes the compiler's declarations of a package's entry points. They import only peer dependencies: declarations of the
 * SDK are copied along, and types that zod infers from the schemas are written out as plain types.
 */
export function emitTypes(name: PackageName, dist: string): void {
  const out = mkdtempSync(join(tmpdir(), 'sluice-types-'))
  try {
    const project = join(out, 'tsconfig.json')
    writeFileSync(project, JSON.stringify(typesProject(name, out)))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' })
    const copy = createCopier(name, join(out, 'packages'), dist)
    for (const path of Object.values(find(name).entries)) copy(name, `${path}.d.ts`)
    if (copy.usesSchemas()) writeFileSync(join(dist, 'schemas.d.ts'), schemaTypes())
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

function typesProject(name: PackageName, out: string) {
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
    // The compiler writes no declaration of a file that it reaches through node_modules first. It may reach any file of the SDK
    // that way, by chance, unless the file is named here.
    files: [...entriesOf(name), ...sourcesOfSdk()],
  }
}

function entriesOf(name: PackageName): readonly string[] {
  const paths: readonly string[] = Object.values(find(name).entries)
  return paths.map((path) => join(root, 'packages', name, 'src', `${path}.ts`))
}

function sourcesOfSdk(): readonly string[] {
  const folder = join(root, 'packages/sdk/src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(folder, path))
}

/** Returns a function that copies a declaration file and the files that it imports, each once. */
function createCopier(own: PackageName, emitted: string, dist: string) {
  const seen = new Set<string>()
  let usesSchemas = false

  function copy(name: PackageName, path: string): string {
    const place = name === own ? path : join('types', name, path)
    if (seen.has(place)) return place
    seen.add(place)
    const text = readFileSync(join(emitted, name, 'src', path), 'utf8')
    const rewritten = text.replaceAll(
      /((?:from|import\()\s*)(['"])([^'"]+)\2/g,
      (whole, start: string, quote: string, specifier: string) => {
        const target = targetOf(name, path, specifier)
        if (target === undefined) return whole
        const to = relative(dirname(place), target).replace(/\.d\.ts$/, '.js')
        return `${start}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`
      },
    )
    mkdirSync(dirname(join(dist, place)), { recursive: true })
    writeFileSync(join(dist, place), rewritten)
    return place
  }

  /** Place of an imported declaration file; undefined if the import stays as it is. */
  function targetOf(name: PackageName, path: string, specifier: string): string | undefined {
    if (isPeer(own, specifier)) return undefined
    if (specifier === '@sluice/api') {
      usesSchemas = true
      return 'schemas.d.ts'
    }
    if (specifier.startsWith('.'))
      return copy(name, join(dirname(path), specifier.replace(/\.js$/, '.d.ts')))
    const [, entry = ''] = /^@sluice\/sdk(?:\/(\w+))?$/.exec(specifier) ?? [undefined, undefined]
    const entries: Readonly<Record<string, string>> = published.sdk.entries
    const source = specifier.startsWith('@sluice/sdk') ? entries[entry || 'index'] : undefined
    if (source === undefined)
      throw new Error(`${name}/${path} declares types of ${specifier}, which is not published.`)
    return copy('sdk', `${source}.d.ts`)
  }

  return Object.assign(copy, { usesSchemas: () => usesSchemas })
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
