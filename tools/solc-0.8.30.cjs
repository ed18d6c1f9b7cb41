#!/usr/bin/env node
// The native solc is on no registry that we use; forge drives this stand-in, which runs the same
// compiler as WebAssembly and answers the two calls that forge makes.
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
  console.error('solc-0.8.30.cjs answers --version and --standard-json only')
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
