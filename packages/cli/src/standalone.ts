#!/usr/bin/env node
/** The published command line: without the programs, which need the server and the contracts. */
import { runHere } from './runHere.js'

await runHere()
