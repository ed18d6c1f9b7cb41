import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

function binsOf(name: string): Record<string, string> {
  const folder = join(root, 'packages', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entries = Object.entries(bin as Record<string, string>)
  return Object.fromEntries(entries.map(([program, path]) => [program, join(folder, path)]))
}

test('default: the programs named in package.json exist and are executable', () => {
  const bins = { ...binsOf('cli'), ...binsOf('mcp') }
  expect(Object.keys(bins)).toEqual(['sluice', 'sluice-mcp'])
  for (const path of Object.values(bins)) accessSync(path, constants.X_OK)
})

test("behavior: `sluice` passes arguments on and exits with the command's code", async () => {
  const { sluice } = binsOf('cli')
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [sluice!, ...args])
  expect((await run('--help')).stdout).toContain('Usage: sluice COMMAND')
  await expect(run('quote')).rejects.toMatchObject({ code: 2 })
})
