#!/usr/bin/env node
/**
 * `npm start`: installs what is missing and runs everything. Plain Node without dependencies, because it runs before
 * they are there. Arguments go to the program, for example `npm start -- --port 0`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const oldestNode = [20, 19]

demandNode()
installIfNeeded()
run([join(root, 'packages/devnet/src/main.ts'), 'start', ...process.argv.slice(2)])

function demandNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isRecent = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  if (isRecent) return
  console.error(
    `Node ${oldestNode.join('.')} or newer is needed; this is ${process.versions.node}.`,
  )
  process.exit(1)
}

/** npm leaves a copy of the lockfile in node_modules, so its age says what was installed. */
function installIfNeeded() {
  const installed = join(root, 'node_modules/.package-lock.json')
  const wanted = join(root, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  console.log('Installing dependencies …')
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  console.error(error ? `npm could not be run: ${error.message}` : 'npm ci failed; see above.')
  process.exit(1)
}

function run(args) {
  const child = spawn(process.execPath, ['--conditions=development', '--import', 'tsx', ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
