import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Devnet } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'sluice-clients-'))
const trade = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1000000000000000000' }

/** Values of the required query parameters. A new parameter needs one here. */
const values: Readonly<Record<string, string>> = { ...trade, token: 'USDC', tokens: 'WETH,USDC' }

let devnet: Devnet
let server: RunningServer
let operations: readonly Operation[]

/** An operation of the OpenAPI document, and a request that the service answers with 200. */
type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly mediaType: string
}

type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

type DescribedOperation = {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[]
  readonly responses: { readonly '200': { readonly content: Readonly<Record<string, object>> } }
}

/** What a client reports for an operation: the status, and the members of a JSON response. */
type Outcome = { readonly status: number; readonly members?: readonly string[] }

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await serveDevnet(devnet, {
    marketData: [{ kind: 'dexscreener', name: 'devnet', url: devnet.marketUrl }],
  })
  const document = (await ask('/api/openapi.json')) as Described
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const bodies = await createBodies()
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], responses }]) => ({
      id: operationId,
      method,
      path,
      query: queryOf(parameters),
      ...(method === 'post' && { body: bodies[operationId] }),
      mediaType: Object.keys(responses['200'].content)[0]!,
    })),
  )
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(path: string): Promise<unknown> {
  return await (await fetch(server.url + path)).json()
}

function queryOf(parameters: NonNullable<DescribedOperation['parameters']>) {
  // One of the two amounts is required, which OpenAPI cannot say.
  const required = parameters.filter(
    (parameter) => parameter.required || parameter.name === 'amountIn',
  )
  return Object.fromEntries(required.map(({ name }) => [name, values[name] ?? missing(name)]))
}

function missing(name: string): never {
  throw new Error(`This test has no value for ${name}. Add one.`)
}

/** Bodies of the operations that take one. A new operation needs one here. */
async function createBodies(): Promise<Readonly<Record<string, unknown>>> {
  const prepared = (await ask(`/api/quote/prepare?${new URLSearchParams(trade)}`)) as {
    request: unknown
    rpcRequest: unknown
  }
  const answer = await fetch(devnet.chains[0]!.rpcUrl, post(prepared.rpcRequest))
  const { result } = (await answer.json()) as { result: string }
  const owner = privateKeyToAccount(devnet.account.privateKey)
  const signing = { version: '2', signature: 'permit2', sender: owner.address }
  const parameters = { ...trade, in: 'SLU', ...signing }
  const quote = (await ask(`/api/quote?${new URLSearchParams(parameters)}`)) as {
    chainId: number
    route: unknown
    permit: { typedData: Parameters<typeof owner.signTypedData>[0] }
  }
  const { chainId, permit, route } = quote
  const signature = await owner.signTypedData(permit.typedData)
  return {
    postQuoteBatch: { requests: [trade] },
    postPrepare: { requests: [trade] },
    postDecode: { request: prepared.request, result },
    postSigned: { quote: { chainId, route, permit }, signature },
    postMcp: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  }
}

function post(body: unknown): RequestInit {
  const headers = { 'content-type': 'application/json', accept }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

const accept = 'application/json, text/event-stream'

/** The outcomes of all operations without a generated client. */
async function expectedOutcomes(): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {}
  for (const { body, id, mediaType, path, query } of operations) {
    const url = `${server.url}${path}?${new URLSearchParams(query)}`
    const response = await fetch(url, body === undefined ? {} : post(body))
    const { status } = response
    if (hasMembers(id, mediaType)) {
      const members = Object.keys((await response.json()) as object).sort()
      outcomes[id] = { status, members }
    } else {
      outcomes[id] = { status }
      await response.body?.cancel()
    }
  }
  return outcomes
}

/** Without parameters, the generated types accept no `query`. */
function queryMember(query: Operation['query']): { readonly query?: Operation['query'] } {
  return Object.keys(query).length === 0 ? {} : { query }
}

/** Whether the members of the response are compared. MCP may respond with JSON or with events. */
function hasMembers(id: string, mediaType: string): boolean {
  return mediaType === 'application/json' && id !== 'postMcp'
}

/** Start of both programs: collects outcomes. */
const collecting = `
declare const process: { argv: string[]; exit(code: number): never }
const baseUrl = process.argv[2]! as 'http://127.0.0.1:8080'
const outcomes: Record<string, unknown> = {}
const members = (data: unknown) => Object.keys(data as object).sort()
let amountOut: string | undefined
`

const reporting = `
console.log(JSON.stringify({ amountOut, outcomes }))
process.exit(0)
`

/** Program that calls every operation with the client of @hey-api/openapi-ts. */
function heyApiProgram(): string {
  const calls = operations.map(({ body, id, mediaType, query }) => {
    const options = JSON.stringify({
      ...queryMember(query),
      ...(body === undefined ? {} : { body, headers: { accept } }),
    })
    if (mediaType === 'text/event-stream')
      return `for await (const event of (await sdk.${id}(${options})).stream) { outcomes.${id} = { status: event ? 200 : 0 }; break }`
    return `{
      const { data, response } = await sdk.${id}(${options})
      outcomes.${id} = { status: response?.status${hasMembers(id, mediaType) ? ', members: members(data)' : ''} }
      ${id === 'getQuote' ? 'amountOut = data?.amountOut' : ''}
    }`
  })
  return `import { client } from './client/client.gen'
import * as sdk from './client/sdk.gen'
${collecting}
client.setConfig({ baseUrl })
${calls.join('\n')}
${reporting}`
}

/** Program that calls every operation with openapi-fetch and the types of openapi-typescript. */
function openapiFetchProgram(): string {
  const calls = operations.map(({ body, id, mediaType, method, path, query }) => {
    const isJson = hasMembers(id, mediaType)
    const members = [
      `params: ${JSON.stringify(queryMember(query))}`,
      ...(body === undefined
        ? []
        : [`body: ${JSON.stringify(body)}`, `headers: ${JSON.stringify({ accept })}`]),
      ...(isJson ? [] : ["parseAs: 'stream'"]),
    ]
    return `{
      const { data, response } = await client.${method.toUpperCase()}('${path}', { ${members.join(', ')} })
      outcomes.${id} = { status: response.status${isJson ? ', members: members(data)' : ''} }
      ${id === 'getQuote' ? 'amountOut = data?.amountOut' : ''}
    }`
  })
  return `import createClient from 'openapi-fetch'
import type { paths } from './schema'
${collecting}
const client = createClient<paths>({ baseUrl })
${calls.join('\n')}
${reporting}`
}

/** Compiles a program strictly and runs it. The error that it throws has the compiler's output. */
async function compileAndRun(name: string, source: string) {
  writeFileSync(join(folder, name), source)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const settings =
    '--strict --noEmit --skipLibCheck --target es2023 --lib es2023,dom,dom.iterable --module esnext --moduleResolution bundler --types'
  await run(process.execPath, [tsc, ...settings.split(' '), '', name], { cwd: folder }).catch(
    ({ stdout }) => {
      throw new Error(stdout)
    },
  )
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const { stdout } = await run(process.execPath, [tsx, name, server.url], { cwd: folder })
  return JSON.parse(stdout) as { amountOut: string; outcomes: Record<string, Outcome> }
}

async function generate(generator: string, ...args: string[]): Promise<void> {
  const program = join(root, 'node_modules', generator)
  const imports = ['--import', withTypescriptApi()]
  await run(process.execPath, [...imports, program, ...args], { cwd: folder })
}

test.each([
  {
    name: '@hey-api/openapi-ts',
    create: async () => {
      await generate('@hey-api/openapi-ts/dist/run.mjs', '-i', 'openapi.json', '-o', 'client')
      return heyApiProgram()
    },
  },
  {
    name: 'openapi-typescript and openapi-fetch',
    create: async () => {
      await generate('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.d.ts')
      return openapiFetchProgram()
    },
  },
])(
  'default: a client generated by $name compiles and calls every operation',
  async ({ create, name }) => {
    const program = await create()
    const { amountOut, outcomes } = await compileAndRun(`${name.replaceAll(/\W/g, '')}.ts`, program)
    const expected = await expectedOutcomes()
    expect(Object.entries(expected).filter(([, { status }]) => status !== 200)).toEqual([])
    expect(outcomes).toEqual(expected)
    const quote = (await ask(`/api/quote?${new URLSearchParams(trade)}`)) as { amountOut: string }
    expect(amountOut).toBe(quote.amountOut)
  },
)

/**
 * A module that gives the generators a TypeScript compiler with a JavaScript API. Our compiler is the native one, which
 * has no such API; another development dependency includes one that has.
 */
function withTypescriptApi(): string {
  const neighbour = join(root, 'node_modules/@arethetypeswrong/core/package.json')
  const typescript = pathToFileURL(createRequire(neighbour).resolve('typescript')).href
  const hook = `export const resolve = (name, context, next) =>
    next(name === 'typescript' ? ${JSON.stringify(typescript)} : name, context)`
  const module = `import { register } from 'node:module'
    register(${JSON.stringify(asDataUrl(hook))})`
  return asDataUrl(module)
}

function asDataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`
}
