import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { inRepository } from '../lib/repository.js'

/** The remappings of foundry.toml. */
const remappings = [
  'forge-std/=node_modules/@uniswap/v4-core/lib/forge-std/src/',
  '@uniswap/v4-core/=node_modules/@uniswap/v4-core/',
  'solady/=node_modules/solady/src/',
  '@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/',
]

/** A compiled contract. */
export type Compiled = { readonly abi: Abi; readonly bytecode: Hex }

/** Compiles a fixture contract with the settings of the release build. */
export function compileFixture(name: 'DirectCaller' | 'GrossRouter' | 'MinimalRouter'): Compiled {
  return compileFixtures(name, [name])[name]
}

/** Compiles contracts of one fixture file with these settings. */
export function compileFixtures<name extends string>(
  file: string,
  names: readonly name[],
): Record<name, Compiled> {
  const entry = `contracts/test/fixtures/${file}.sol`
  const require = createRequire(import.meta.url)
  const solc = require('solc') as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: sourcesFrom(entry),
    settings: {
      remappings,
      optimizer: { enabled: true, runs: 1_000_000 },
      viaIR: true,
      evmVersion: 'cancun',
      outputSelection: {
        [entry]: Object.fromEntries(names.map((name) => [name, ['abi', 'evm.bytecode.object']])),
      },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const compiled = names.map((name): [name, Compiled] => {
    const contract = output.contracts?.[entry]?.[name]
    if (!contract) throw new Error(JSON.stringify(output.errors))
    return [name, { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }]
  })
  return Object.fromEntries(compiled) as Record<name, Compiled>
}

/** Returns a file and all its imports, by path in the repository. */
function sourcesFrom(path: string, found: Record<string, { content: string }> = {}) {
  if (found[path]) return found
  const content = readFileSync(inRepository(path), 'utf8')
  found[path] = { content }
  for (const [, target] of content.matchAll(/^import .*?"([^"]+)";/gms)) {
    sourcesFrom(target!.startsWith('.') ? join(dirname(path), target!) : mapped(target!), found)
  }
  return found
}

function mapped(path: string): string {
  const rule = remappings.find((each) => path.startsWith(each.split('=')[0]!))
  if (!rule) throw new Error(`No remapping for ${path}.`)
  const [prefix, target] = rule.split('=') as [string, string]
  return `${target}${path.slice(prefix.length)}`
}
