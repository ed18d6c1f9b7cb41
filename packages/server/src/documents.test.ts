import {
  abiListResponse,
  abiResponse,
  deploymentsResponse,
  discoveryResponse,
  manifestResponse,
  operations,
} from '@sluice/api'
import { Events } from '@sluice/domain'
import { describe, expect, test } from 'vitest'
import { quoter, router, tokens } from '../../domain/test/deployments.js'
import { ask, startService } from '../test/harness.js'

const rpcUrls = new Map([[8_453, ['http://127.0.0.1:1']]])
const start = (changes = {}) => startService({ rpcUrls, updatedAt: 1_700_000_000_000, ...changes })

const paths = [
  '/api',
  '/api/manifest',
  '/api/deployments',
  '/api/deployments?chain=base&version=1',
  '/api/abi',
  '/api/abi?contract=quoter',
  '/api/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/sdk.md',
  '/.well-known/api-catalog',
  '/.well-known/security.txt',
]

describe.each(paths)('GET %s', (path) => {
  test('default: cached for a minute, with a strong entity tag and 304', async () => {
    const { url } = await start()
    // Compressed documents have tags of their own.
    const plain = { 'accept-encoding': 'identity' }
    const first = await fetch(url + path, { headers: plain })
    const etag = first.headers.get('etag')!
    expect(first.status).toBe(200)
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect(first.headers.get('cache-control')).toBe(
      'public, max-age=60, stale-while-revalidate=600',
    )
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await fetch(url + path, { headers: { ...plain, 'if-none-match': known } })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    }
    const other = await fetch(url + path, { headers: { 'if-none-match': '"x"' } })
    expect(await other.text()).toBe(await first.text())
  })

  if (path.startsWith('/api'))
    test('error: unknown parameters', async () => {
      const { url } = await start()
      const answer = await ask(`${url}${path}${path.includes('?') ? '&' : '?'}x=1`)
      expect(answer).toMatchObject({ status: 400, body: { ok: false, code: 'bad_param' } })
      expect(answer.headers.get('cache-control')).toBe('no-store')
    })
  else
    test('behavior: the parameters of others mean nothing', async () => {
      const { url } = await start()
      const tagged = await fetch(`${url}${path}?utm_source=x&utm_source=y`)
      const plain = await fetch(url + path)
      expect([tagged.status, tagged.headers.get('etag')]).toEqual([200, plain.headers.get('etag')])
    })
})

describe('GET /api/deployments', () => {
  test('default: lists generations, chains and active deployments', async () => {
    const { url } = await start()
    const { body } = await ask(`${url}/api/deployments`)
    const registry = deploymentsResponse.parse(body)
    expect(registry).toMatchObject({ schema: 1, updatedAt: 1_700_000_000_000 })
    expect(registry.versions.map(({ status, version }) => [version, status])).toEqual([
      ['1.0.0', 'active'],
    ])
    expect(Object.keys(registry.versions[0]!.chains).sort()).toEqual(['31337', '42161', '8453'])
    // Only Base has a node, so only Base is active.
    expect(Object.keys(registry.active)).toEqual(['8453'])
    expect(registry.active['8453']!.contracts.quoter.toLowerCase()).toBe(quoter)
  })

  test('behavior: one chain, one generation', async () => {
    const { url } = await start()
    for (const query of ['chain=base', 'chain=8453&version=1', 'chain=8453&version=1.0.0']) {
      const { body } = await ask(`${url}/api/deployments?${query}`)
      const registry = deploymentsResponse.parse(body)
      expect(Object.keys(registry.versions[0]!.chains)).toEqual(['8453'])
    }
  })

  test('error: says so if nothing is deployed', async () => {
    const { url } = await start({ deployments: { schema: 1, chains: {} } })
    expect((await ask(`${url}/api/deployments?chain=base`)).body['error']).toBe(
      '`chain` has no deployment; chains with a deployment: none yet.',
    )
  })

  test.each([
    ['bad_chain', 'chain=4663'],
    ['bad_chain', 'chain=constructor'],
    ['bad_version', 'version=7'],
    ['bad_version', 'version=1.0.0.0'],
    ['bad_param', 'chain=base&chain=base'],
  ])('error: %s: %s', async (code, query) => {
    const { url } = await start()
    const answer = await ask(`${url}/api/deployments?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { ok: false, code } })
  })
})

describe('GET /api/abi', () => {
  test('default: lists ABIs, and serves each of them', async () => {
    const { url } = await start()
    const { contracts } = abiListResponse.parse((await ask(`${url}/api/abi`)).body)
    const names = contracts.map(({ contract }) => contract)
    expect(names).toEqual(expect.arrayContaining(['hub', 'solver', 'quoter', 'router', 'errors']))
    for (const { contract, path, versions } of contracts) {
      const latest = abiResponse.parse((await ask(url + path)).body)
      expect(latest).toMatchObject({ contract, version: versions[0] })
      expect(latest.abi.length).toBeGreaterThan(0)
    }
  })

  test('behavior: the list of a generation links to the ABIs of that generation', async () => {
    const { url } = await start()
    const { contracts } = abiListResponse.parse((await ask(`${url}/api/abi?version=2`)).body)
    expect(contracts.map(({ contract }) => contract)).toContain('staking')
    for (const { contract, path } of contracts)
      expect((await ask(url + path)).body).toMatchObject({ contract, version: '2.0.0' })
  })

  test('behavior: the ABI of a named generation is immutable', async () => {
    const { url } = await start()
    const { body, headers } = await ask(`${url}/api/abi?contract=router&version=1`)
    expect(body).toMatchObject({ version: '1.0.0' })
    expect(headers.get('cache-control')).toContain('immutable')
  })

  test.each([
    ['bad_contract', 'contract=constructor'],
    ['bad_contract', 'contract=Quoter'],
    ['bad_version', 'version=9'],
  ])('error: %s: %s', async (code, query) => {
    const { url } = await start()
    expect(await ask(`${url}/api/abi?${query}`)).toMatchObject({ status: 400, body: { code } })
  })
})

describe('GET /api/manifest', () => {
  test('default: five chains, topics, the token', async () => {
    const { url } = await start({ docsUrl: 'https://docs.example', contact: 'mailto:a@b.example' })
    const { body } = await ask(`${url}/api/manifest`)
    const manifest = manifestResponse.strict().parse(body)
    expect(manifest).toMatchObject({
      name: 'Sluice',
      version: '1.0.0',
      url,
      docs: 'https://docs.example',
      contact: 'mailto:a@b.example',
      deployments: `${url}/api/deployments`,
      feeBps: 28,
      token: { symbol: 'SLU', chain: 'Base', address: tokens.slu, totalSupply: '1,000,000,000' },
      events: Events.all,
    })
    expect(manifest.chains.map(({ chainId, live, name }) => [chainId, name, live])).toEqual([
      [8453, 'Base', true],
      [1, 'Ethereum', false],
      [10, 'Optimism', false],
      [42161, 'Arbitrum', true],
      [4663, 'Robinhood Chain', false],
    ])
    const zero = `0x${'0'.repeat(40)}`
    for (const { chainId, contracts, protocolVersion, slu } of manifest.chains) {
      expect([protocolVersion, contracts.core, contracts.staking]).toEqual(['1.0.0', zero, zero])
      expect(slu !== undefined).toBe(chainId === 8453)
    }
    expect(manifest.chains[0]!.contracts.router.toLowerCase()).toBe(router.toLowerCase())
  })
})

describe('GET /api', () => {
  test('default: serves every endpoint that it lists, under its operation id', async () => {
    const { url } = await start()
    const { endpoints } = discoveryResponse.parse((await ask(`${url}/api`)).body)
    expect(Object.keys(endpoints)).toEqual(
      expect.arrayContaining([
        'prepare',
        'prepareBatch',
        'decode',
        'deployments',
        'abi',
        'quote',
        'quoteBatch',
        'manifest',
        'openapi',
        'health',
        'llms',
      ]),
    )
    for (const { method, path } of Object.values(endpoints)) {
      const { status } = await fetch(url + path, { method })
      expect([method, path, status]).not.toEqual([method, path, 404])
      expect([method, path, status]).not.toEqual([method, path, 405])
    }
  })

  test('behavior: links to the SDK and MCP work', async () => {
    const { url } = await start()
    const { mcp, sdk } = discoveryResponse.parse((await ask(`${url}/api`)).body)
    const guide = await fetch(sdk)
    expect([guide.status, guide.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(await guide.text()).toMatch(/^# @sluice\/sdk\n/)
    expect(mcp).toBe(`${url}/mcp`)
    expect((await fetch(mcp)).status).toBe(405)
  })

  test('behavior: says if the relay is off', async () => {
    const { url } = await start({ quoteRelay: 'off' })
    const { endpoints } = discoveryResponse.parse((await ask(`${url}/api`)).body)
    expect(endpoints['quote']!.note).toContain('rpc_required')
  })
})

describe('GET /llms.txt', () => {
  test('default: each operation with a guide entry has a line with its address, and no other path is named', async () => {
    const { url } = await start()
    const text = await (await fetch(`${url}/llms.txt`)).text()
    const lines = text.split('\n')
    const listed = operations.filter(({ guide }) => guide !== undefined)
    for (const { guide, method, path } of listed) {
      const { title, query, note } = guide!
      const address = `${url}${path}${query === undefined ? '' : `?${query}`}`
      const place = method === 'POST' ? `${title}: POST ${address} ` : `[${title}](${address})`
      const line = lines.find((each) => each.startsWith(`- ${place}`))
      expect(line, title).toBeDefined()
      expect(line).toContain(note ?? title)
    }
    const named = [...text.matchAll(/\/api[\w/.]*/g)].map(([path]) => path)
    expect([...new Set(named)].sort()).toEqual([...new Set(listed.map(({ path }) => path))].sort())
  })
})

describe('texts', () => {
  test('behavior: types and contents', async () => {
    const { url } = await start({ contact: 'mailto:a@b.example' })
    const textOf = async (path: string) => {
      const answer = await fetch(url + path)
      return `${answer.headers.get('content-type')}\n${await answer.text()}`
    }
    expect(await textOf('/llms.txt')).toMatch(/^text\/plain; charset=utf-8\n# Sluice\n\n> /)
    expect(await textOf('/llms-full.txt')).toContain('/errors/bad_result.md) (400)')
    expect(await textOf('/.well-known/api-catalog')).toContain('application/linkset+json')
    expect(await textOf('/.well-known/api-catalog')).not.toContain('text/html')
    expect(await textOf('/.well-known/security.txt')).toMatch(
      /Contact: mailto:a@b\.example\nExpires: 20\d\d-.+T00:00:00\.000Z\n/,
    )
  })
})
