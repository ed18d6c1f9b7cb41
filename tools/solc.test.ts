import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Runs the compiler as forge does. */
function compile(content: string) {
  const input = {
    language: 'Solidity',
    sources: { 'A.sol': { content } },
    settings: { outputSelection: { '*': { '*': ['evm.methodIdentifiers'] } } },
  }
  const { status, stdout } = spawnSync(
    process.execPath,
    ['tools/solc-0.8.30.cjs', '--standard-json'],
    { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 1 << 25, timeout: 60_000 },
  )
  return { status, output: stdout && JSON.parse(stdout) }
}

const contract = 'contract A { function f() external {} }'
const prefix = `// SPDX-License-Identifier: MIT\npragma solidity 0.8.30;\n`

test('behavior: compiles sources of 6 MB, whose characters do not fit the stack of the compiler', () => {
  const { status, output } = compile(`${prefix}// ${'x'.repeat(6_000_000)}\n${contract}`)
  expect(status).toBe(0)
  expect(output.errors).toBeUndefined()
  expect(output.contracts['A.sol'].A.evm.methodIdentifiers).toEqual({ 'f()': '26121ff0' })
})

test('error: reports errors, also behind characters of several bytes', () => {
  const { status, output } = compile(`${prefix}// ${'é'.repeat(100)}\n${contract} contract A {}`)
  expect(status).toBe(0)
  expect(output.errors).toHaveLength(1)
  expect(output.errors[0]).toMatchObject({ type: 'DeclarationError', errorCode: '2333' })
})
