import { hubAbi } from '@sluice/abi'
import type { Devnet } from '@sluice/devnet'
import { askNodeAt, followPools, openPoolStore } from '@sluice/engine'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevnet } from './lib/startDevnet.js'

/** Together these chains have every venue whose factory announces its pools. */
const chainIds = [8453, 42161]
const listedKinds = ['curve', 'balancerWeighted', 'balancerStable']

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds })
})
afterAll(async () => {
  await devnet?.stop()
})

test.each(chainIds)('default: the index of chain %i has every created pool', async (chainId) => {
  const chain = devnet.chains.find((candidate) => candidate.chainId === chainId)!
  const { hub } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const venues = await client.readContract({ address: hub, abi: hubAbi, functionName: 'venues' })
  const store = openPoolStore(':memory:')
  const ask = askNodeAt(chainId, chain.rpcUrl)
  // What registries of adapters announce is not counted here.
  const factories = venues
    .filter((_, index) => chain.imitated[chain.venues[index]!] === undefined)
    .map(({ factory }) => factory)
  await followPools({ ask, store, chainId, factories })

  const created = chain.pools.filter(({ kind }) => !listedKinds.includes(kind))
  expect(store.count(chainId)).toBe(created.length)
  const weth = chain.tokens['WETH']!.address
  const beside = created.flatMap(({ token0, token1, kind }) => {
    // Native pools announce the native currency.
    if (kind === 'uniswapV4' || ![token0, token1].includes('WETH')) return []
    return [chain.tokens[token0 === 'WETH' ? token1 : token0]!.address.toLowerCase()]
  })
  const near = store.neighbors(chainId, weth.toLowerCase() as `0x${string}`, 100)
  expect(new Set(near)).toEqual(new Set(beside))
})
