import { expect, test } from 'vitest'
import { deployments } from '../../test/deployments.js'
import { Deployments, Registry, Routers } from '../index.js'

test('default: lists the Router of every deployed generation, and served chains without a Router', () => {
  const base = deployments.chains['8453']!
  const second = {
    ...base.versions['1.0.0']!,
    router: '0x00000000000000000000000000000000000000e1',
  }
  const content = {
    schema: 1,
    chains: {
      '8453': { ...base, versions: { ...base.versions, '2.0.0': second } },
      '31337': deployments.chains['31337'],
    },
  }
  const both = Deployments.parse(JSON.parse(JSON.stringify(content)))
  const routers = Routers.from(both, Registry.from(both, [8_453, 1]))
  expect(routers.size).toBe(3)
  expect(routers.get(1)).toEqual({ name: 'Ethereum', blockTimeMs: 12_000, routers: [] })
  expect(routers.get(31_337)).toEqual({ name: 'Bench', blockTimeMs: 2_000, routers: [] })
  expect(routers.get(8_453)).toEqual({
    name: 'Base',
    blockTimeMs: 2_000,
    routers: [
      { version: '1.0.0', address: both.chains['8453']!.versions['1.0.0']!.router },
      { version: '2.0.0', address: '0x00000000000000000000000000000000000000e1' },
    ],
  })
})
