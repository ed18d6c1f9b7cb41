import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as api from '@sluice/api'
import { version } from '@sluice/sdk'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { budgetBytes, gzipSizeOf } from './bundle.js'
import { schemaTypes } from './emitTypes.js'
import { pack, type Tarball } from './pack.js'
import { names, type PackageName, root } from './published.js'

const modules = join(root, 'node_modules')
const folder = mkdtempSync(join(tmpdir(), 'sluice-packages-'))
let tarballs: Readonly<Record<PackageName, Tarball>>

beforeAll(async () => {
  tarballs = await pack(names, folder)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('entry points of the SDK', () => {
  test.each(Object.entries(budgetBytes))(
    'default: %s is not larger than its maximum',
    async (entry, bytes) => {
      expect(await gzipSizeOf('sdk', entry)).toBeLessThanOrEqual(bytes)
    },
  )
})

describe.each(names)('@sluice/%s', (name) => {
  const read = (path: string) => readFileSync(join(tarballs[name].dist, path), 'utf8')

  test('default: package.json has a description, a license and no dependencies', () => {
    const manifest = JSON.parse(read('package.json'))
    expect(manifest).toMatchObject({
      name: `@sluice/${name}`,
      version,
      license: 'MIT',
      description: expect.stringMatching(/Sluice/),
      publishConfig: { access: 'public', provenance: true },
    })
    for (const member of ['private', 'dependencies', 'devDependencies', 'scripts'])
      expect(manifest).not.toHaveProperty(member)
    expect(read('package.json')).not.toContain('development')
  })

  test('default: the tarball has its documents, and neither sources nor tests', () => {
    const { files } = tarballs[name]
    expect(files).toEqual(
      expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'index.d.ts', 'index.js']),
    )
    const others = files.filter((file) => !/\.(js|d\.ts|md)$|^(LICENSE|package\.json)$/.test(file))
    expect(others).toEqual([])
    expect(files.filter((file) => file.includes('.test.'))).toEqual([])
  })

  test('default: no file names another package of the repository or a folder of this machine', () => {
    const foreign = /['"](@sluice\/(?!sdk|cli|mcp)[\w/-]+|tsx)['"]/
    for (const file of tarballs[name].files.filter((each) => /\.(js|d\.ts)$/.test(each))) {
      expect([file, foreign.exec(read(file))?.[0]]).toEqual([file, undefined])
      expect([file, read(file).includes(root)]).toEqual([file, false])
    }
  })

  test('default: publint reports no problems', async () => {
    const { messages } = await publint({ pkgDir: tarballs[name].dist, strict: true })
    expect(messages).toEqual([])
  })

  test('default: are-the-types-wrong reports no unexpected problems', async () => {
    const attw = join(modules, '@arethetypeswrong/cli/dist/index.js')
    const args = [attw, tarballs[name].path, '--profile', 'esm-only', '--format', 'json']
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      maxBuffer: 64 * 1024 * 1024,
    })
    // The one reported problem is intended: the packages are ESM only. Node loads them with `require`, too.
    expect(Object.keys(JSON.parse(stdout).problems)).toEqual(['CJSResolvesToESM'])
  })
})

test('default: the plain types equal the types inferred from the schemas', () => {
  const check = fileURLToPath(new URL(`plain-${process.pid}.check.ts`, import.meta.url))
  const schemas = Object.keys(api)
    .filter((name) => name.endsWith('Response'))
    .map((name) => [name, `${name[0]!.toUpperCase()}${name.slice(1)}`])
  const lines = schemas.map(
    ([schema, type]) => `true satisfies Equal<z.infer<typeof api.${schema}>, ${type}>`,
  )
  try {
    writeFileSync(
      check,
      `import type { z } from 'zod'\nimport type * as api from '@sluice/api'\n${schemaTypes()}\n${equal}\n${lines.join('\n')}\n`,
    )
    const project = join(folder, 'tsconfig.json')
    const base = join(root, 'tsconfig.base.json')
    const typeRoots = [join(modules, '@types')]
    writeFileSync(
      project,
      JSON.stringify({ extends: base, compilerOptions: { typeRoots }, files: [check] }),
    )
    const { stdout } = spawnSync(join(modules, '.bin/tsc'), ['-p', project], { encoding: 'utf8' })
    expect(stdout).toBe('')
  } finally {
    rmSync(check, { force: true })
  }
})

const equal = `type Equal<a, b> = [a] extends [b] ? ([b] extends [a] ? true : false) : false`
