#!/usr/bin/env node
// The registries that we use do not have the native solc. Forge runs this replacement, which is the same compiler as
// WebAssembly and supports the two calls that forge makes.
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { setFlagsFromString } = require('node:v8')

const expected = '0.8.30+commit.73712a01.Emscripten.clang'
const argv = process.argv.slice(2)

if (argv.includes('--version')) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${expected}`)
  process.exit(0)
}
if (!argv.includes('--standard-json')) {
  console.error('solc-0.8.30.cjs supports --version and --standard-json only')
  process.exit(1)
}

setFlagsFromString('--stack-size=4000')
const input = readFileSync(0, 'utf8')
const load = createRequire(`${__dirname}/../package.json`)
const solc = load('solc/soljson.js')
const version = solc.UTF8ToString(solc._solidity_version())
if (version !== expected) {
  console.error(`expected solc ${expected}, found ${version}: run npm ci`)
  process.exit(1)
}
// The package's own wrapper copies the input to the compiler's stack of 16 MB, where it reserves four bytes for each character. Our
// sources with their settings have about 4.2 million, so that the compiler would overwrite its own data, and crash or never end.
const size = solc.lengthBytesUTF8(input) + 1
const address = solc._solidity_alloc(size)
solc.stringToUTF8(input, address, size)
// Forge names all files, so that the compiler needs no callback to ask for more.
const noCallback = 0
const output = solc.UTF8ToString(solc._solidity_compile(address, noCallback, noCallback))
process.stdout.write(output, () => process.exit(0))
