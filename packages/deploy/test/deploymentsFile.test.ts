import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deployments } from '@sluice/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demandDeploymentsFile } from '../src/deploymentsFile.js'
import { addToDeploymentsFile, mergeDeployments } from '../src/index.js'

const zero = '0x0000000000000000000000000000000000000000'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-deployments-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('mergeDeployments', () => {
  test('default: keeps other chains and other versions', () => {
    const first = deployments({ 1: { name: 'Old', versions: ['0.9.0', '1.0.0'] } })
    const second = deployments({
      1: { name: 'New', versions: ['1.0.0'] },
      10: { name: 'Other', versions: ['1.0.0'] },
    })
    const { chains } = mergeDeployments(first, second)
    expect(Object.keys(chains)).toEqual(['1', '10'])
    expect(chains[1]!.name).toBe('New')
    expect(Object.keys(chains[1]!.versions)).toEqual(['0.9.0', '1.0.0'])
  })
})

describe('demandDeploymentsFile', () => {
  test('default: accepts a new file and rejects a file with other content', () => {
    expect(() => demandDeploymentsFile(join(folder, 'new.json'))).not.toThrow()
    writeFileSync(join(folder, 'package.json'), '{}')
    expect(() => demandDeploymentsFile(join(folder, 'package.json'))).toThrow(
      /package\.json is not a deployments file: .* The file was not changed\.$/s,
    )
  })

  test('error: the folder does not exist', () => {
    expect(() => demandDeploymentsFile(join(folder, 'absent/new.json'))).toThrow(
      /new\.json cannot be written: ENOENT.* Nothing was sent\.$/,
    )
  })
})

describe('addToDeploymentsFile', () => {
  test('default: creates the file, adds to it, and leaves no temporary file', () => {
    const path = join(folder, 'deployments.json')
    const first = deployments({ 1: { name: 'One', versions: ['1.0.0'] } })
    const second = deployments({ 10: { name: 'Ten', versions: ['1.0.0'] } })
    addToDeploymentsFile(path, first)
    addToDeploymentsFile(path, second)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(mergeDeployments(first, second))
    expect(readdirSync(folder)).toEqual(['deployments.json'])
  })

  test('error: a file with other content is not changed', () => {
    const path = join(folder, 'package.json')
    writeFileSync(path, '{"name":"x"}')
    expect(() => addToDeploymentsFile(path, deployments({}))).toThrow('is not a deployments file')
    expect(readFileSync(path, 'utf8')).toBe('{"name":"x"}')
  })
})

function deployments(
  chains: Record<number, { name: string; versions: string[] }>,
): Deployments.Deployments {
  const contracts = {
    core: zero,
    finder: zero,
    hub: zero,
    optimizer: zero,
    pricer: zero,
    sampler: zero,
    solver: zero,
    router: zero,
    quoter: zero,
    staking: zero,
  } as const
  return {
    schema: 1,
    chains: Object.fromEntries(
      Object.entries(chains).map(([chainId, { name, versions }]) => [
        chainId,
        {
          name,
          wrappedNative: zero,
          usdc: zero,
          slu: null,
          blockTimeMs: 1,
          versions: Object.fromEntries(versions.map((version) => [version, contracts])),
        },
      ]),
    ),
  }
}
