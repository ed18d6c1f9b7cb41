import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../../../../', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

type Package = {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  dependencies?: Record<string, string>
}

describe('A22: what runs beside our code', () => {
  const packages: Record<string, Package> = read('package-lock.json').packages

  test('behavior: everything that is installed is pinned by its hash', () => {
    for (const [path, { integrity, link, resolved }] of Object.entries(packages)) {
      if (link || !path.includes('node_modules/')) continue
      expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha(512|1)-/)])
      if (resolved !== undefined) expect(resolved).not.toMatch(/^(git|file|http:)/)
    }
  })

  test('behavior: the service runs on these packages, each at one exact version', () => {
    const found = new Map<string, string>()
    for (const name of ['server', 'api', 'engine', 'domain', 'abi'])
      for (const [dependency, version] of Object.entries(
        packages[`packages/${name}`]?.dependencies ?? {},
      ))
        if (!dependency.startsWith('@sluice/')) found.set(dependency, version)
    for (const version of found.values()) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    // One more is a decision: it runs with the operator's keys.
    expect([...found.keys()].sort()).toMatchInlineSnapshot(`
      [
        "@hono/node-server",
        "@hono/zod-openapi",
        "hono",
        "ioredis",
        "libsql",
        "pg",
        "pino",
        "prom-client",
        "viem",
        "zod",
      ]
    `)
  })
})
