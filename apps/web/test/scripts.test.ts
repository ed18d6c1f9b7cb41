import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readAssets } from '../../../packages/server/src/pages/Assets.js'
// @ts-expect-error plain Node, without types
import { buildWebIfNeeded } from '../../../tools/build-web.mjs'

const folder = fileURLToPath(new URL('../dist', import.meta.url))

test('default: a first number needs 40 kB, a visit 45, and one with a node to ask 55', async () => {
  await buildWebIfNeeded()
  const { files, importsOf, pathOf } = readAssets(folder)
  const sizeOf = (...names: readonly string[]) => {
    const paths = names.map((name) => pathOf(name)!)
    const all = new Set([...paths, ...paths.flatMap(importsOf)])
    return [...all].reduce((sum, path) => sum + gzipSync(files.get(path)!).length, 0)
  }
  expect(sizeOf('home')).toBeLessThan(40_000)
  // The panels come with the first number.
  expect(sizeOf('home', 'panels')).toBeLessThan(45_000)
  // The check comes with a wallet or a node's address.
  expect(sizeOf('home', 'panels', 'proving')).toBeLessThan(55_000)
})
