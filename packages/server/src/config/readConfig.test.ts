import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { deployments, tokens } from '../../../domain/test/deployments.js'
import { startServer } from '../startServer.js'
import { environment, variables } from './environment.js'
import { InvalidConfigError } from './InvalidConfigError.js'
import { readConfig } from './readConfig.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
const file = join(folder, 'deployments.json')
const env = { DEPLOYMENTS: file, RPC_8453: 'http://127.0.0.1:8545' }

beforeAll(() => {
  writeFileSync(file, JSON.stringify(deployments))
  writeFileSync(join(folder, 'broken.json'), '{')
})

describe('readConfig', () => {
  test('default', () => {
    expect(readConfig(env)).toEqual({
      port: 8_080,
      host: '127.0.0.1',
      deployments,
      rpcUrls: new Map([[8_453, ['http://127.0.0.1:8545']]]),
      baseUrl: undefined,
      logLevel: 'info',
      headFreshMs: 250,
      maxBlockAge: 'auto',
      publishRpc: false,
      poolIndex: undefined,
      swapIndex: { path: ':memory:' },
      swapIndexMs: 15_000,
      swapFirstBlocks: new Map(),
      statsCacheMs: 300_000,
      marketData: [{ kind: 'dexscreener' }, { kind: 'geckoterminal' }],
      tokenLists: [],
      quoteRelay: 'on',
      digestKey: undefined,
      docsUrl: undefined,
      contact: undefined,
      adminPort: undefined,
      rateLimit: 0,
      rateBurst: 120,
      trustedProxies: [],
      maxFlights: 32,
      maxLoopDelayMs: 25,
      drainDelayMs: 0,
      redisUrl: undefined,
      workers: 1,
      webDir: expect.stringMatching(/apps\/web\/dist$/),
      stream: { maxStreams: 200, maxPerAddress: 32, maxMs: 300_000, maxEvents: 500 },
      connections: { max: 2_000, maxPerAddress: 1_000 },
      adminHost: '127.0.0.1',
      logCaller: 'address',
      updatedAt: Math.floor(statSync(file).mtimeMs),
    })
  })

  test('behavior: everything set', () => {
    const config = readConfig({
      ...env,
      RPC_1: 'https://a.example/key, https://b.example',
      RPC_10: '',
      PORT: '0',
      HOST: '0.0.0.0',
      BASE_URL: 'https://sluice.example/',
      LOG_LEVEL: 'silent',
      LOG_CALLER: 'hash',
      ADMIN_PORT: '9090',
      ADMIN_HOST: '10.0.0.1',
      HEAD_FRESH_MS: '50',
      MAX_BLOCK_AGE_MS: '20000',
      POOL_INDEX: 'pools.db',
      MARKET_DATA:
        'geckoterminal, dexscreener=http://127.0.0.1:9000/,dexscreener=https://m.example/a',
    })
    expect(config).toMatchObject({
      port: 0,
      host: '0.0.0.0',
      baseUrl: 'https://sluice.example',
      logLevel: 'silent',
      logCaller: 'hash',
      adminPort: 9_090,
      adminHost: '10.0.0.1',
      headFreshMs: 50,
      maxBlockAge: 20_000,
      poolIndex: 'pools.db',
      marketData: [
        { kind: 'geckoterminal' },
        { kind: 'dexscreener', url: 'http://127.0.0.1:9000' },
        { kind: 'dexscreener', url: 'https://m.example/a' },
      ],
    })
    expect(readConfig({ ...env, MARKET_DATA: 'off' }).marketData).toEqual([])
    expect(config.rpcUrls.get(1)).toEqual(['https://a.example/key', 'https://b.example'])
    expect(config.rpcUrls.has(10)).toBe(false)
  })

  test.each([
    [{ DEPLOYMENTS: join(folder, 'none') }, 'DEPLOYMENTS names a file that cannot be read as JSON'],
    [{ DEPLOYMENTS: join(folder, 'broken.json') }, 'DEPLOYMENTS names a file that cannot be read'],
    [{ PORT: '80a' }, 'PORT must be an integer from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT must be an integer from 0 to 65535'],
    [{ RPC_8453: '' }, 'RPC_<chainId> is not set for any chain; set for example RPC_8453'],
    [{ RPC_8453: 'ws://x/SECRET' }, 'RPC_8453 must be comma-separated http or https URLs'],
    [{ RPC_8453: 'http://x,SECRET' }, 'RPC_8453 must be comma-separated http or https URLs'],
    [{ BASE_URL: 'ftp://x' }, 'BASE_URL must be an http or https URL'],
    [{ ADMIN_PORT: '70000' }, 'ADMIN_PORT must be an integer from 0 to 65535'],
    [{ RATE_LIMIT: '-1' }, 'RATE_LIMIT must be an integer from 0 to 1000000'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be comma-separated CIDR blocks'],
    [{ TRUSTED_PROXIES: 'proxy/8' }, 'TRUSTED_PROXIES must be comma-separated CIDR blocks'],
    [{ REDIS_URL: 'http://SECRET@x' }, 'REDIS_URL must be a redis or rediss URL'],
    [{ WORKERS: '65' }, 'WORKERS must be an integer from 1 to 64'],
    [{ WORKERS: '0' }, 'WORKERS must be an integer from 1 to 64'],
    // Zero means no limit for other settings; here it would refuse every request.
    [{ MAX_FLIGHTS: '0' }, 'MAX_FLIGHTS must be an integer from 1 to 10000'],
    [{ RATE_BURST: '0' }, 'RATE_BURST must be an integer from 1 to 10000000'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error'],
    [{ LOG_CALLER: 'name' }, 'LOG_CALLER must be address, hash or off'],
    [{ HEAD_FRESH_MS: '-1' }, 'HEAD_FRESH_MS must be an integer from 0 to 60000'],
    [{ DOCS_URL: 'docs' }, 'DOCS_URL must be an http or https URL'],
    [{ CONTACT: 'me' }, 'CONTACT must begin with mailto: or https://'],
    [{ QUOTE_RELAY: 'maybe' }, 'QUOTE_RELAY must be on or off'],
    [{ TOKEN_LISTS: join(folder, 'none') }, 'TOKEN_LISTS names a file that is not a token list'],
    [{ TOKEN_LISTS: file }, 'TOKEN_LISTS names a file that is not a token list'],
    [{ MARKET_DATA: 'coins' }, 'MARKET_DATA must be off, or comma-separated sources: dexscreener'],
    [{ MARKET_DATA: 'dexscreener=http://SECRET.example' }, 'MARKET_DATA must use https URLs'],
    [{ MARKET_DATA: 'dexscreener=https://x.example/?k=SECRET' }, 'MARKET_DATA must use https URLs'],
    [{ DIGEST_KEY: 'SECRET' }, 'DIGEST_KEY must have at least 16 characters'],
    [{ MAX_BLOCK_AGE_MS: 'never' }, 'MAX_BLOCK_AGE_MS must be an integer'],
  ])('error: %j', (changes, message) => {
    const run = () => readConfig({ ...env, ...changes })
    expect(run).toThrow(InvalidConfigError)
    expect(run).toThrow(`Environment variable ${message}`)
    expect(run).not.toThrow('SECRET')
  })
})

test('error: names every invalid variable, without its value', () => {
  const wrong = { PORT: 'SECRET', RPC_1: 'SECRET', SWAP_FROM_1: 'SECRET', WORKERS: '0' }
  const run = () => readConfig({ ...env, ...wrong })
  expect(run).toThrow(
    [
      'Environment variable RPC_1 must be comma-separated http or https URLs.',
      'Environment variable SWAP_FROM_1 must be an integer from 0 to 999999999.',
      'Environment variable PORT must be an integer from 0 to 65535.',
      'Environment variable WORKERS must be an integer from 1 to 64.',
    ].join('\n'),
  )
  expect(run).not.toThrow('SECRET')
})

test('default: every variable has a description', () => {
  expect(variables).toContainEqual({
    name: 'HOST',
    meaning: 'host to listen on; default 127.0.0.1',
  })
  expect(variables.filter(({ meaning }) => meaning === '')).toEqual([])
})

test('behavior: reads token lists, without rows in another format', () => {
  const list = join(folder, 'list.json')
  const dai = {
    chainId: 1,
    address: tokens.dai.toLowerCase(),
    symbol: 'DAI',
    name: 'Dai',
    decimals: 18,
  }
  const rows = [
    dai,
    { ...dai, chainId: 501_000_101, address: 'So11111111111111111111111111111111111111112' },
    { ...dai, address: '0x12' },
    { ...dai, address: tokens.dai.replace('50c5', '50C5') },
    { ...dai, symbol: 'D\u0410I' },
    { ...dai, decimals: 256 },
    { ...dai, name: 7 },
    null,
  ]
  writeFileSync(list, JSON.stringify({ name: 'Ours', tokens: rows }))
  expect(readConfig({ ...env, TOKEN_LISTS: `${list}, ${list}` }).tokenLists).toEqual(
    Array(2).fill({ chainId: 1, address: tokens.dai, symbol: 'DAI', name: 'Dai', decimals: 18 }),
  )
})

test('behavior: an empty string counts as unset, for every variable', () => {
  const listed = Object.keys(environment.shape)
  const empty = Object.fromEntries(listed.map((name) => [name, '']))
  const { DEPLOYMENTS: _, ...unset } = env
  expect(readConfig({ ...unset, ...empty })).toEqual(readConfig(unset))
})

test('behavior: no deployments without a deployments file', () => {
  expect(readConfig({ ...env, DEPLOYMENTS: '' })).toMatchObject({
    deployments: { schema: 1, chains: {} },
    updatedAt: undefined,
  })
})

describe('startServer', () => {
  const rpcUrls = new Map([[8_453, ['http://127.0.0.1:1']]])

  test('error: a port that is in use', async () => {
    const config = { deployments, rpcUrls, logLevel: 'silent' }
    const first = await startServer({ ...config, port: 0 })
    await expect(startServer({ ...config, port: first.port })).rejects.toThrow(
      `Port ${first.port} on 127.0.0.1 is taken by another program.`,
    )
    await first.stop()
  })

  test('error: names a host of another machine, and a file that cannot be used', async () => {
    const config = { deployments, rpcUrls, port: 0, logLevel: 'silent' }
    await expect(startServer({ ...config, host: '192.0.2.1' })).rejects.toThrow(
      /192\.0\.2\.1 cannot be used \(EADDRNOTAVAIL\)\.\nSet HOST to an address of this machine/,
    )
    const poolIndex = join(folder, 'absent/pools.db')
    await expect(startServer({ ...config, poolIndex })).rejects.toThrow(
      'Environment variable POOL_INDEX names a file that cannot be used as a database.',
    )
  })

  test('behavior: warns of a node whose chain cannot be served, without its URL', async () => {
    const log: string[] = []
    const both = new Map([...rpcUrls, [999, ['http://127.0.0.1:1/SECRET']] as const])
    const server = await startServer(
      { deployments, rpcUrls: both, port: 0, logLevel: 'warn' },
      { logDestination: { write: (line) => log.push(line) } },
    )
    await server.stop()
    const told = log.map((line) => JSON.parse(line)).filter(({ chainId }) => chainId === 999)
    expect(told.map(({ msg }) => msg)).toEqual([
      'not served: neither deployed nor among the known chains',
    ])
    expect(log.join()).not.toContain('SECRET')
  })

  test('error: no chain has both node and deployment', async () => {
    const others = new Map([[999, ['http://127.0.0.1:1']]])
    await expect(startServer({ deployments, rpcUrls: others, port: 0 })).rejects.toThrow(
      'No chain has both a node (RPC_<chainId>) and a Quoter in the deployments file.',
    )
  })
})
