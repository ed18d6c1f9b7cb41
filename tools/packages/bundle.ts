import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type InputOptions, rolldown } from 'rolldown'
import { find, isPeer, type PackageName, root } from './published.js'

/** Maximum bytes of entry points of the SDK with their imports, minified and gzipped, without peer dependencies. */
export const budgetBytes = { index: 5 * 1024, verify: 23 * 1024, viem: 28 * 1024 } as const

/**
 * Bundles the entry points and programs of a package into `dist`.
 *
 * @returns Paths of the bundled modules.
 */
export async function bundle(name: PackageName, dist: string): Promise<readonly string[]> {
  const { bins, entries } = find(name)
  const input = Object.fromEntries([
    ...Object.entries(entries).map(([entry, path]) => [entry, sourceOf(name, path)]),
    ...Object.entries(bins).map(([bin, path]) => [`bin/${bin}`, sourceOf(name, path)]),
  ])
  const build = await rolldown({ ...inputOptions(name), input })
  const { output } = await build.write({
    dir: dist,
    format: 'esm',
    chunkFileNames: 'shared/[name].js',
    minifyInternalExports: false,
  })
  await build.close()
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** Returns the bytes of an entry point with all its imports, minified and gzipped, without peer dependencies. */
export async function gzipSizeOf(name: PackageName, entry: string): Promise<number> {
  const input = sourceOf(name, find(name).entries[entry]!)
  const build = await rolldown({ ...inputOptions(name), input })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  return gzipSync(output[0].code, { level: 9 }).length
}

function inputOptions(name: PackageName): InputOptions {
  return {
    platform: find(name).platform,
    external: (specifier) => isPeer(name, specifier) || specifier.startsWith('node:'),
    resolve: { conditionNames: ['development', 'import', 'default'] },
    treeshake: {
      // Libraries say in their package.json which of their modules have side effects.
      moduleSideEffects: [{ test: /[\\/]packages[\\/][a-z]+[\\/]src[\\/]/, sideEffects: false }],
    },
  }
}

function sourceOf(name: PackageName, path: string): string {
  return join(root, 'packages', name, 'src', `${path}.ts`)
}
