#!/usr/bin/env node
/**
 * Checks that the built service runs without the development dependencies: clones the commit into a new folder, builds,
 * installs again with `--omit=dev`, starts the service and sends requests. Also checks that all installed packages have
 * permissive licenses. It needs the npm registry, so `.ci/run` calls it and `npm test` does not.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-production-'))
const permissive = /^(MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|MIT OR Apache-2\.0)$/
/** Paths that the service can answer without a node. */
const paths = [
  '/api',
  '/api/health',
  '/api/manifest',
  '/api/openapi.json',
  '/llms.txt',
  '/errors',
  '/api/quote/prepare?chain=base&in=ETH&out=USDC&amountIn=1000000000000000000',
]

try {
  run('git', ['clone', '--quiet', root, folder], tmpdir())
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
  run('npm', ['run', 'build'])
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev'])
  checkLicences()
  await checkService()
  console.log('The built service runs without the development dependencies.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(command, args, cwd = folder) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`)
}

function checkLicences() {
  const { packages } = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  )
  const installed = Object.entries(packages).filter(([, { link }]) => link !== true)
  const wrong = installed.filter(([, { license }]) => !permissive.test(license ?? ''))
  if (wrong.length > 0)
    throw new Error(`Not permissive: ${wrong.map(([path, each]) => `${path} (${each.license})`)}.`)
  console.log(`${installed.length} packages at run time, all under permissive licenses.`)
}

async function checkService() {
  const service = spawn(process.execPath, ['tools/serve.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', RPC_8453: 'http://127.0.0.1:1', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await listening(service)
    for (const path of paths) {
      const { status } = await fetch(url + path)
      if (status !== 200) throw new Error(`${path} answered ${status}.`)
    }
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1]
    if (script === undefined || (await fetch(url + script)).status !== 200)
      throw new Error('The page does not contain its script.')
  } finally {
    service.kill('SIGTERM')
  }
}

function listening(service) {
  return new Promise((resolve, reject) => {
    let text = ''
    service.stdout.on('data', (chunk) => {
      text += chunk
      const url = /listening on (http:\S+)/.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    service.once('exit', (code) => reject(new Error(`The service exited with ${code}.`)))
  })
}
