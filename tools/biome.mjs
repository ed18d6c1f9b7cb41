#!/usr/bin/env node
// Runs the native biome with the given arguments and exits with its code.
import { spawnSync } from 'node:child_process'
import { biome } from './platform-binary.mjs'

const { status } = spawnSync(biome(), process.argv.slice(2), { stdio: 'inherit' })
process.exit(status ?? 1)
