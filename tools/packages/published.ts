import { fileURLToPath } from 'node:url'

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A package that is published to the npm registry. */
export type Published = {
  readonly description: string
  readonly keywords: readonly string[]
  /** Entry points of `exports`, and their source files. `index` is the root entry. */
  readonly entries: Readonly<Record<string, string>>
  /** Programs, and their source files. */
  readonly bins: Readonly<Record<string, string>>
  readonly platform: 'neutral' | 'node'
}

/**
 * The published packages by folder. Each contains this repository's other packages and, for programs, all libraries:
 * an installation has one package, and what runs is what the lockfile of this repository pins.
 */
export const published = {
  sdk: {
    description:
      'A typed client of the Sluice DEX aggregator that verifies quotes and transactions.',
    keywords: ['dex', 'aggregator', 'swap', 'ethereum', 'viem'],
    entries: {
      index: 'index',
      verify: 'verify/index',
      viem: 'viem/index',
      undeployed: 'undeployed/index',
    },
    bins: {},
    platform: 'neutral',
  },
  cli: {
    description:
      'The command line of the Sluice DEX aggregator: quotes that your own node can repeat.',
    keywords: ['dex', 'aggregator', 'swap', 'ethereum', 'cli'],
    entries: { index: 'index' },
    bins: { sluice: 'standalone' },
    platform: 'node',
  },
  mcp: {
    description:
      'Tools that let agents use the Sluice DEX aggregator. They only read, and take no keys.',
    keywords: ['dex', 'aggregator', 'swap', 'ethereum', 'mcp'],
    entries: { index: 'index' },
    bins: { 'sluice-mcp': 'main' },
    platform: 'node',
  },
} as const satisfies Readonly<Record<string, Published>>

export type PackageName = keyof typeof published

/** Folders of the published packages. */
export const names = Object.keys(published) as PackageName[]

/** Returns the description of a published package with the general type. */
export function find(name: PackageName): Published {
  return published[name]
}

/** Whether a published package expects the application to install this module. Only the SDK has such a module. */
export function isPeer(name: PackageName, specifier: string): boolean {
  return name === 'sdk' && (specifier === 'viem' || specifier.startsWith('viem/'))
}
