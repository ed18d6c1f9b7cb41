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
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
}

describe('dependencies', () => {
  const packages: Record<string, Package> = read('package-lock.json').packages

  test('behavior: every installed package is pinned by its hash', () => {
    for (const [path, { integrity, link, resolved }] of Object.entries(packages)) {
      if (link || !path.includes('node_modules/')) continue
      expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha(512|1)-/)])
      if (resolved !== undefined) expect(resolved).not.toMatch(/^(git|file|http:)/)
    }
  })

  test('behavior: the service depends on these packages, each at one exact version', () => {
    const found = new Map<string, string>()
    for (const name of ['server', 'mcp', 'sdk', 'api', 'engine', 'rpc', 'domain', 'abi'])
      for (const [dependency, version] of Object.entries(
        packages[`packages/${name}`]?.dependencies ?? {},
      ))
        if (!dependency.startsWith('@sluice/')) found.set(dependency, version)
    for (const version of found.values()) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    // Adding one is a decision: it runs with the operator's keys.
    expect([...found.keys()].sort()).toMatchInlineSnapshot(`
      [
        "@hono/node-server",
        "@modelcontextprotocol/server",
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

  test('behavior: these packages run in its process, including indirect ones', () => {
    const found = new Set<string>()
    const place = (name: string, from: string): string | undefined => {
      for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/')))) {
        const path = `${at === '' || at.endsWith('/') ? at : `${at}/`}node_modules/${name}`
        if (packages[path] !== undefined) return path
        if (at === '') return undefined
      }
    }
    const walk = (from: string) => {
      for (const name of Object.keys(packages[from]?.dependencies ?? {})) {
        const path = place(name, from)
        const entry = path === undefined ? undefined : packages[path]
        if (entry === undefined) continue
        const target = entry.link ? entry.resolved! : path!
        if (!entry.link) {
          if (found.has(`${name} ${entry.version}`)) continue
          found.add(`${name} ${entry.version}`)
        }
        walk(target)
      }
    }
    walk('packages/server')
    // An indirect dependency is as close to the keys as a direct one.
    expect([...found].sort()).toMatchInlineSnapshot(`
      [
        "@adraffy/ens-normalize 1.11.1",
        "@hono/node-server 2.1.8",
        "@ioredis/commands 2.0.0",
        "@modelcontextprotocol/core 2.4.0",
        "@modelcontextprotocol/server 2.4.0",
        "@neon-rs/load 0.0.4",
        "@noble/ciphers 1.3.0",
        "@noble/curves 1.9.1",
        "@noble/hashes 1.8.0",
        "@opentelemetry/api 1.10.0",
        "@pinojs/redact 0.4.0",
        "@scure/base 1.2.6",
        "@scure/bip32 1.7.0",
        "@scure/bip39 1.6.0",
        "abitype 1.2.3",
        "atomic-sleep 1.0.0",
        "bintrees 1.0.2",
        "cluster-key-slot 1.1.1",
        "debug 4.4.3",
        "denque 2.1.0",
        "detect-libc 2.0.2",
        "eventemitter3 5.0.1",
        "hono 4.13.19",
        "ioredis 6.0.0",
        "isows 1.0.7",
        "libsql 0.5.29",
        "ms 2.1.3",
        "on-exit-leak-free 2.1.2",
        "ox 0.14.67",
        "pg 8.23.1",
        "pg-connection-string 2.14.1",
        "pg-int8 1.0.1",
        "pg-pool 3.14.0",
        "pg-protocol 1.16.1",
        "pg-types 2.2.0",
        "pgpass 1.0.5",
        "pino 10.4.0",
        "pino-abstract-transport 3.0.0",
        "pino-std-serializers 7.1.0",
        "postgres-array 2.0.0",
        "postgres-bytea 1.0.1",
        "postgres-date 1.0.7",
        "postgres-interval 1.2.0",
        "process-warning 5.1.1",
        "prom-client 15.1.3",
        "quick-format-unescaped 4.0.4",
        "real-require 1.0.0",
        "redis-errors 1.2.0",
        "safe-stable-stringify 2.5.0",
        "sonic-boom 4.2.1",
        "split2 4.2.0",
        "standard-as-callback 2.1.0",
        "tdigest 0.1.3",
        "thread-stream 4.2.1",
        "viem 2.57.20",
        "ws 8.21.0",
        "xtend 4.0.2",
        "zod 4.6.7",
      ]
    `)
  })

  test('behavior: none of them runs a script at installation', () => {
    const running = Object.entries(packages).filter(
      ([, { dev, hasInstallScript }]) => !dev && hasInstallScript,
    )
    expect(running.map(([path]) => path)).toEqual([])
  })
})
