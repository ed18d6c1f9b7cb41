import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readAssets } from '../../../packages/server/src/pages/Assets.js'
// @ts-expect-error plain Node, without types
import { buildWebIfNeeded } from '../../../tools/build-web.mjs'

const folder = fileURLToPath(new URL('../dist', import.meta.url))

test('default: what a visit loads by itself stays below 60 kB, and a first number needs 40', async () => {
  await buildWebIfNeeded()
  const { files, importsOf, pathOf } = readAssets(folder)
  const sizeOf = (...names: readonly string[]) => {
    const paths = names.map((name) => pathOf(name)!)
    const all = new Set([...paths, ...paths.flatMap(importsOf)])
    return [...all].reduce((sum, path) => sum + gzipSync(files.get(path)!).length, 0)
  }
  expect(sizeOf('home')).toBeLessThan(40_000)
  // The panels come with the first number; the check comes if there is a node to ask.
  expect(sizeOf('home', 'panels', 'proving')).toBeLessThan(60_000)
})
