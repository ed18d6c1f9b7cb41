#!/usr/bin/env node
// The registries that we use do not have the native solc. Forge runs this replacement, which is the same compiler as
// WebAssembly and supports the two calls that forge makes.
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { setFlagsFromString } = require('node:v8')

const version = '0.8.30+commit.73712a01.Emscripten.clang'
const argv = process.argv.slice(2)

if (argv.includes('--version')) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`)
  process.exit(0)
}
if (!argv.includes('--standard-json')) {
  console.error('solc-0.8.30.cjs supports --version and --standard-json only')
  process.exit(1)
}

setFlagsFromString('--stack-size=4000')
const input = readFileSync(0, 'utf8')
const load = createRequire(`${__dirname}/../package.json`)
const solc = load('solc/wrapper.js')(load('solc/soljson.js'))
if (solc.version() !== version) {
  console.error(`expected solc ${version}, found ${solc.version()}: run npm ci`)
  process.exit(1)
}
const output = solc.compile(input, { import: (path) => ({ error: `not found: ${path}` }) })
process.stdout.write(output, () => process.exit(0))
