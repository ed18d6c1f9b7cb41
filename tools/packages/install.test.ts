import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { version } from '@sluice/sdk'
import { type RunningServer, startServer } from '@sluice/server'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../../apps/web/test/chromium.js'
import { deployments } from '../../packages/domain/test/deployments.js'
import { connect } from '../../packages/mcp/test/connect.js'
import { pack, type Tarball } from './pack.js'
import { names, type PackageName, root } from './published.js'
import * as applications from './test/applications.js'

const execute = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sluice-install-'))
/** An empty project with the three tarballs, and viem beside them. */
const project = join(folder, 'project')
/** An empty project with the three tarballs only. */
const bare = join(folder, 'bare')
let tarballs: Readonly<Record<PackageName, Tarball>>
let server: RunningServer

beforeAll(async () => {
  tarballs = await pack(names, folder)
  await Promise.all([project, bare].map(install))
  // npm does not install optional peers. The application would; here it is the repository's copy.
  symlinkSync(join(root, 'node_modules/viem'), join(project, 'node_modules/viem'))
  server = await startServer({
    port: 0,
    deployments,
    // Nothing here asks a node.
    rpcUrls: new Map([[8_453, ['http://127.0.0.1:1']]]),
    logLevel: 'silent',
    maxLoopDelayMs: 0,
  })
})

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Installs the tarballs with an empty cache and without a network: they have no dependencies. */
async function install(to: string): Promise<void> {
  mkdirSync(to)
  writeFileSync(join(to, 'package.json'), '{ "private": true }')
  const paths = names.map((name) => tarballs[name].path)
  await execute('npm', ['install', ...paths, ...offline(to)], { cwd: to })
}

function offline(to: string): readonly string[] {
  return ['--offline', '--no-audit', '--no-fund', '--cache', `${to}-cache`]
}

async function run(file: string, source: string, ...args: string[]) {
  writeFileSync(join(project, file), source)
  return await execute(process.execPath, [file, ...args], { cwd: project })
}

/** Runs the compiler. The error that it throws has the compiler's output. */
async function compile(file: string, source: string): Promise<void> {
  writeFileSync(join(project, file), source)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = '--strict --exactOptionalPropertyTypes --noEmit --module nodenext --target es2023'
  const libraries = ['--lib', 'es2023,dom,dom.iterable', '--types', '', '--skipLibCheck', 'false']
  const args = [tsc, ...options.split(' '), ...libraries, file]
  await execute(process.execPath, args, { cwd: project }).catch(({ stdout }) => {
    throw new Error(stdout)
  })
}

test('default: an installation has the three packages and nothing else', () => {
  const { packages } = JSON.parse(
    readFileSync(join(bare, 'node_modules/.package-lock.json'), 'utf8'),
  ) as { packages: Record<string, unknown> }
  expect(Object.keys(packages)).toEqual(
    [...names].sort().map((name) => `node_modules/@sluice/${name}`),
  )
})

test('default: the root entry loads without viem, as an ES module and as CommonJS', async () => {
  const load = "console.log(typeof (SDK).createClient({ baseUrl: 'http://127.0.0.1:1' }).fetch)"
  const asModule = load.replace('SDK', "await import('@sluice/sdk')")
  const asCommonJs = load.replace('SDK', "require('@sluice/sdk')")
  for (const [kind, source] of [
    ['module', asModule],
    ['commonjs', asCommonJs],
  ] as const)
    expect(
      await execute(process.execPath, [`--input-type=${kind}`, '-e', source], { cwd: bare }),
    ).toEqual({ stdout: 'function\n', stderr: '' })
})

test.each(Object.entries(applications.programs))(
  'default: %s prepares the same call as the service',
  async (_, [file, source]) => {
    const { stderr, stdout } = await run(file, source, server.url)
    const [served, own] = JSON.parse(stdout)
    expect(stderr).toBe('')
    expect(served).toMatch(/^0x[0-9a-f]{200,}$/)
    expect(own).toBe(served)
  },
)

test('default: errors of one entry are instances of the classes of another', async () => {
  expect((await run('classes.mjs', applications.classes)).stdout).toBe('true\n')
})

test('default: strict TypeScript compiles an ES module and a CommonJS module', async () => {
  await compile('app.mts', applications.esModule)
  await compile('app.cts', applications.commonJs)
  await expect(
    compile('wrong.mts', "import { createClient } from '@sluice/sdk'\ncreateClient(1)\n"),
  ).rejects.toThrow('wrong.mts')
})

test('default: runs in a browser, from a bundle and without a bundler', async () => {
  writeFileSync(join(project, 'browser.mjs'), applications.browser)
  const build = await rolldown({
    input: join(project, 'browser.mjs'),
    platform: 'browser',
    // Bundlers of development servers set this condition; the packages must not have it.
    resolve: { conditionNames: ['development', 'browser', 'import', 'default'] },
  })
  const { output } = await build.generate({ format: 'iife', codeSplitting: false })
  await build.close()
  const site = createServer(({ url = '/' }, response) => {
    const path = join(project, url)
    const isModule = url.endsWith('.js') && existsSync(path)
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
    response.end(isModule ? readFileSync(path) : `<!doctype html>${applications.unbundled}`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const browser = await launch()
  try {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`http://127.0.0.1:${(site.address() as { port: number }).port}/`)
    const status = await page.evaluate(`(async (url) => {
      while (globalThis.sdk === undefined) await new Promise((resolve) => setTimeout(resolve, 10))
      return (await sdk.getManifest(sdk.createClient({ baseUrl: url }))).ok
    })('${server.url}')`)
    expect(status).toBe(true)
    await page.addScriptTag({ content: output[0].code })
    const [served, own] = (await page.evaluate(`preparing('${server.url}')`)) as string[]
    expect(served).toMatch(/^0x[0-9a-f]{200,}$/)
    expect(own).toBe(served)
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
    site.close()
  }
})

test('default: npx runs the command line from its tarball alone', async () => {
  const npx = ['--yes', ...offline(join(folder, 'npx')), '--package', tarballs.cli.path, 'sluice']
  const trade = 'prepare --chain base --in ETH --out USDC --amount-in 1000000000000000000'
  const { stdout } = await execute('npx', [...npx, ...trade.split(' '), '--url', server.url], {
    cwd: folder,
  })
  const response = await fetch(
    `${server.url}/api/quote/prepare?chain=base&in=ETH&out=USDC&amountIn=1000000000000000000`,
  )
  const { call } = (await response.json()) as { call: unknown }
  expect(JSON.parse(stdout).call).toEqual(call)
})

test('behavior: the command line says which of its programs need the repository', async () => {
  const sluice = join(bare, 'node_modules/.bin/sluice')
  await expect(execute(sluice, ['serve'])).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining('needs a checkout of the repository: run `npm run serve`'),
  })
  expect((await execute(sluice, ['--version'])).stdout).toBe(`${version}\n`)
})

test('default: the MCP program lists the same tools as the sources, and answers a call', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const command = join(bare, 'node_modules/.bin/sluice-mcp')
  const env = { ...(process.env as Record<string, string>), SLUICE_URL: server.url }
  await client.connect(new StdioClientTransport({ command, env, stderr: 'ignore' }))
  try {
    const sources = await connect({})
    expect(await client.listTools()).toEqual(await sources.client.listTools())
    const wrong = { name: 'get_quote', arguments: { chain: 'base' } }
    expect(await client.callTool(wrong)).toEqual(await sources.client.callTool(wrong))
    const { structuredContent } = await client.callTool({ name: 'get_deployments', arguments: {} })
    expect(structuredContent).toMatchObject({ ok: true })
  } finally {
    await client.close()
  }
})
