#!/usr/bin/env node
// Runs the native forge with the given arguments and exits with its code.
import { spawnSync } from 'node:child_process'
import { forge } from './platform-binary.mjs'

const { status } = spawnSync(forge(), process.argv.slice(2), { stdio: 'inherit' })
process.exit(status ?? 1)
