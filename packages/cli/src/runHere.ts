import { readFileSync } from 'node:fs'
import { run } from './run.js'

/** Runs the command line of this process. */
export async function runHere(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    isTty: process.stdout.isTTY === true,
    env: process.env,
    readFile: (path) => readFileSync(path === '-' ? 0 : path, 'utf8'),
  })
}
