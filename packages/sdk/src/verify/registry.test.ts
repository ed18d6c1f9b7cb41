import { describe, expect, test } from 'vitest'
import { deployments, router, tokens } from '../../../domain/test/deployments.js'
import { DecodeError } from '../index.js'
import { readRegistry } from './index.js'

describe('readRegistry', () => {
  test('default: a deployments file', () => {
    const registry = readRegistry(deployments)
    expect([...registry.keys()]).toEqual([31_337, 42_161, 8_453].sort((a, b) => a - b))
    expect(registry.get(8_453)).toMatchObject({ version: '1.0.0', usdc: tokens.usdc })
  })

  test('default: a manifest', () => {
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

  test.each([undefined, null, {}, { schema: 1 }, { chains: [{}] }, 'text'])(
    'error: %j',
    (source) => {
      expect(() => readRegistry(source)).toThrow(DecodeError)
    },
  )
})
