import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as api from '@sluice/api'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { budgetBytes, buildSdk, gzipSizeOf, schemaTypes } from './buildSdk.js'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-sdk-'))
/** Installed as in an application: next to viem, without this repository's other packages. */
const dist = join(folder, 'node_modules/@sluice/sdk')

beforeAll(async () => {
  mkdirSync(dist, { recursive: true })
  await buildSdk(dist)
  symlinkSync(join(modules, 'viem'), join(folder, 'node_modules/viem'))
})

/** Returns the compiler's output. */
function compile(args: readonly string[]): string {
  return spawnSync(join(modules, '.bin/tsc'), args, { cwd: folder, encoding: 'utf8' }).stdout
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the published package', () => {
  test.each(['index', 'verify', 'viem'] as const)(
    'default: %s is not larger than its maximum',
    async (entry) => {
      expect(await gzipSizeOf(entry)).toBeLessThanOrEqual(budgetBytes[entry])
    },
  )

  test('default: the root entry imports nothing', () => {
    const texts = [readFileSync(join(dist, 'index.js'), 'utf8')]
    const imports = texts.flatMap((text) => [...text.matchAll(/from ?"([^".][^"]*)"/g)])
    expect(imports.map(([, specifier]) => specifier)).toEqual([])
  })

  test('default: publint reports no problems', async () => {
    const { messages } = await publint({ pkgDir: dist, strict: true })
    expect(messages).toEqual([])
  })

  test('default: are-the-types-wrong reports no unexpected problems', () => {
    const attw = join(modules, '@arethetypeswrong/cli/dist/index.js')
    const args = [attw, '--pack', dist, '--profile', 'esm-only', '--format', 'json']
    const out = execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
    // The one reported problem is intended: the package is ESM only, so CommonJS cannot load it.
    expect(Object.keys(JSON.parse(out).problems)).toEqual(['CJSResolvesToESM'])
  })

  test('default: an application compiles against it without skipLibCheck, and loads it', () => {
    writeFileSync(join(folder, 'app.mts'), application)
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023']
    const lib = ['--lib', 'es2023,dom', '--types', '', '--skipLibCheck', 'false']
    expect(compile([...options, ...lib, 'app.mts'])).toBe('')
    const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', loading], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(loaded.trim()).toBe('true')
  })
})

const application = `
import { createClient, getQuote, IntegrityError, type Quote } from '@sluice/sdk'
import { verifyTransaction } from '@sluice/sdk/verify'
const client = createClient({ baseUrl: 'http://127.0.0.1:8080' })
const trade = { chain: 8453, in: 'WETH', out: 'USDC', amountIn: 1n, recipient: '0x' } as const
const quote: Quote = await getQuote(client, trade)
const amountOut: bigint = quote.amountOut
const pool: \`0x\${string}\` | undefined = quote.route.legs[0]?.pool
// @ts-expect-error An amount must not be a number.
await getQuote(client, { ...trade, amountIn: 1 })
// @ts-expect-error The name is wrong.
await getQuote(client, { ...trade, slippage: 1 })
export { amountOut, IntegrityError, pool, verifyTransaction }
`

/** Errors thrown by one entry are instances of the classes of another. */
const loading = `
import { DecodeError } from '@sluice/sdk'
import { readRegistry } from '@sluice/sdk/verify'
try { readRegistry(undefined) } catch (error) { console.log(error instanceof DecodeError) }
`

test('default: the plain types equal the types inferred from the schemas', () => {
  const check = fileURLToPath(new URL(`plain-${process.pid}.check.ts`, import.meta.url))
  const names = Object.keys(api)
    .filter((name) => name.endsWith('Response'))
    .map((name) => [name, `${name[0]!.toUpperCase()}${name.slice(1)}`])
  const lines = names.map(
    ([schema, type]) => `true satisfies Equal<z.infer<typeof api.${schema}>, ${type}>`,
  )
  try {
    writeFileSync(
      check,
      `import type { z } from 'zod'\nimport type * as api from '@sluice/api'\n${schemaTypes()}\n${equal}\n${lines.join('\n')}\n`,
    )
    const project = join(folder, 'tsconfig.json')
    const base = fileURLToPath(new URL('../../tsconfig.base.json', import.meta.url))
    const typeRoots = [join(modules, '@types')]
    writeFileSync(
      project,
      JSON.stringify({ extends: base, compilerOptions: { typeRoots }, files: [check] }),
    )
    expect(compile(['-p', project])).toBe('')
  } finally {
    rmSync(check, { force: true })
  }
})

const equal = `type Equal<a, b> = [a] extends [b] ? ([b] extends [a] ? true : false) : false`
