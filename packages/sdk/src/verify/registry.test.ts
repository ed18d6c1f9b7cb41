import { describe, expect, test } from 'vitest'
import { deployments, router, tokens } from '../../../domain/test/deployments.js'
import { DecodeError } from '../index.js'
import { prepare, readRegistry, withSources } from './index.js'

describe('withSources', () => {
  const sources = ['uniswap-v2', 'uniswap-v3', 'old'].map((venueName, index) => ({
    venue: index + 1,
    venueName,
    enabled: venueName !== 'old',
  }))
  const request = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 1n } as const
  const registry = withSources(readRegistry(deployments), { chainId: 8_453, sources })
  const preparedOf = (more: object) => prepare({ ...request, ...more }, { registry, now: 0 })

  test('default: prepare understands names of venues as the API does', () => {
    expect(preparedOf({ includeSources: ['uniswap-v3'] }).request.excludeSources).toBe('1')
    expect(preparedOf({ excludeSources: ['uniswap-v3'] }).request.excludeSources).toBe('2')
    expect(preparedOf({ excludeSources: ['uniswap-v3'] })).toEqual(
      preparedOf({ excludeSources: '2' }),
    )
    expect(() => preparedOf({ includeSources: ['old'] })).toThrow(
      '`includeSources` names old, which is no venue of Base; send some of uniswap-v2, uniswap-v3.',
    )
  })

  test('error: names without the venues, and venues of another chain', () => {
    const options = { registry: readRegistry(deployments) }
    expect(() => prepare({ ...request, includeSources: ['uniswap-v3'] }, options)).toThrow(
      '`includeSources` needs the venues of Base, which are not known here',
    )
    expect(() => withSources(options.registry, { chainId: 5, sources })).toThrow(
      'has the venues of chain 5, which is not in the registry',
    )
  })
})

describe('readRegistry', () => {
  test('default: reads a deployments file', () => {
    const registry = readRegistry(deployments)
    expect([...registry.keys()]).toEqual([31_337, 42_161, 8_453].sort((a, b) => a - b))
    expect(registry.get(8_453)).toMatchObject({ version: '1.0.0', usdc: tokens.usdc })
  })

  test('default: reads a manifest', () => {
    const chain = {
      chainId: 8_453,
      name: 'Base',
      protocolVersion: '1.0.0',
      contracts: { router: router.toLowerCase(), quoter: router },
      weth: tokens.weth,
      usdc: tokens.usdc.toLowerCase(),
      slu: tokens.slu,
    }
    const registry = readRegistry({ ok: true, chains: [chain] })
    expect(registry.get(8_453)).toMatchObject({
      chainId: 8_453,
      wrappedNative: tokens.weth,
      usdc: tokens.usdc,
      slu: tokens.slu,
      blockTimeMs: 2_000,
      contracts: {
        router: router.replace('F1', 'f1'),
      },
    })
  })

  test('behavior: reads the other generations from the result of getDeployments', () => {
    const contracts = { router, quoter: router }
    const second = { router: `0x${'d'.repeat(40)}`, quoter: `0x${'e'.repeat(40)}` }
    const chain = {
      chainId: 8_453,
      name: 'Base',
      protocolVersion: '1.0.0',
      contracts,
      weth: tokens.weth,
      usdc: tokens.usdc,
    }
    const source = { ok: true, chains: [chain] }
    const versions = [
      { version: '1.0.0', chains: { 8453: contracts } },
      { version: '2.0.0', chains: { 8453: second } },
    ]
    const request = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 1n, version: 2 } as const
    const prepared = prepare(request, { registry: readRegistry(source, { versions }) })
    expect(prepared.contracts.router.toLowerCase()).toBe(second.router)
    expect(prepared.protocolVersion).toBe('2.0.0')
    expect(() => prepare(request, { registry: readRegistry(source) })).toThrow(
      '`version` is not deployed on Base; send one of 1.0.0.',
    )
  })

  test.each([undefined, null, {}, { schema: 1 }, { chains: [{}] }, 'text'])(
    'error: %j',
    (source) => {
      expect(() => readRegistry(source)).toThrow(DecodeError)
    },
  )
})
