import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRpc, parseChainConfig, runCheck } from '@sluice/deploy'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRepository } from '../bench/lib/repository.js'
import { checkConfig } from '../packages/deploy/src/check/checkConfig.js'
import { reportText } from '../packages/deploy/src/check/reportText.js'
import { startDevnet } from './lib/startDevnet.js'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
})
afterAll(async () => {
  await devnet?.stop()
})

const chainOf = (chainId: number) => devnet.chains.find((chain) => chain.chainId === chainId)!
const allPools = 100
/** No pool announces the share of the devnet's vault, so that a check does not find it: see `converters.test.ts`. */
const notFound = 'erc4626-vaults'

describe.each([8453, 1, 10, 42161])('on chain %i', (chainId) => {
  test('default: no fault, and all swaps agree to the wei', async () => {
    const { configFile, imitated, rpcUrl, pools, venues } = chainOf(chainId)
    const report = await runCheck(createRpc(rpcUrl), { config: configFile, pools: allPools })
    expect(report.config).toMatchObject({ faults: [], unchecked: [] })
    expect(report.config.confirmed).toBeGreaterThan(50)
    const found = venues.filter((venue) => venue !== notFound).sort()
    expect(report.venues.map(({ venue }) => venue).sort()).toEqual(found)
    for (const { agrees, swaps, worstBps } of report.venues) {
      expect([agrees, worstBps]).toEqual([1, 0])
      expect([swaps.differs, swaps.refused]).toEqual([0, 0])
    }
    const looked = new Set([...report.attempts, ...report.skipped].map(({ pool }) => pool))
    for (const { address } of pools) expect(looked).toContain(address)
    // In both directions, also if the pool's tokens are native coin.
    for (const pool of Object.values(imitated).flat()) {
      const sold = report.attempts.filter((attempt) => attempt.pool === pool)
      expect(new Set(sold.map(({ tokenIn }) => tokenIn)).size).toBe(2)
    }
    // Tokens that the devnet makes misbehave.
    const strange = ['LEVY', 'HALT', 'PYRE', 'BLOAT']
    const left = strange.map((symbol) => chainOf(chainId).tokens[symbol]!.address)
    for (const { why } of report.skipped) expect(left).toContain(why.split(':')[0])
    expect([report.isRight, report.unansweredPairs]).toEqual([true, 0])
    expect(reportText(report)).toContain('Sluice is right on this chain.')
  })
})

test('behavior: an adapter that is yet to be deployed is no fault', async () => {
  const { configFile, rpcUrl } = chainOf(10)
  const file = structuredClone(configFile) as File
  const { factory } = file.venues.find(({ id }) => id === 'curve-registry')!
  const added = { id: 'added', kind: 'adapter', adapter: 'curveCrypto', factory }
  const config = { ...file, venues: [...file.venues, added] }
  const report = await runCheck(createRpc(rpcUrl), { config, pools: 1, sizes: [1_000] })
  expect(report.config.faults).toEqual([])
})

test.each([
  'curveStable',
  'curveCrypto',
  'balancerV2',
  'balancerV3',
  'daiUsds',
  'litePsm',
  'psm3',
  'wstEth',
  'liquidityBook',
  'camelotV2',
  'infinityCl',
  'fluidLite',
])('default: what is no registry of %s is a fault', async (adapter) => {
  const { configFile, rpcUrl } = chainOf(1)
  const file = structuredClone(configFile) as File
  const { factory } = file.venues[0]!
  const config = { ...file, venues: [{ id: 'added', kind: 'adapter', adapter, factory }] }
  const report = await runCheck(createRpc(rpcUrl), { config: { ...config, pools: [] }, pools: 1 })
  const message = `${factory} does not answer as a registry of the adapter ${adapter}.`
  expect(report.config.faults).toEqual([
    { code: 'WRONG_FACTORY', at: 'venues[0].factory', message },
  ])
})

type Venue = { id: string; tiers: object[] } & Record<string, unknown>
type File = {
  venues: Venue[]
  pools: { address: string; tokens: string[] }[]
  connectorTokens: { address: string }[]
} & Record<string, unknown>

const nobody = '0x00000000000000000000000000000000000A11cE'
const wrongHash = `0x${'12'.repeat(32)}`

/** Faults of different kinds: how each is planted, in which chain, and what must be found. */
const plants: readonly (readonly [
  name: string,
  chainId: number,
  plant: (file: File) => void,
  code: string,
  at: string,
])[] = [
  [
    'no wrapped native token',
    1,
    (file) => {
      file['wrappedNative'] = nobody
    },
    'NO_CODE',
    'wrappedNative',
  ],
  [
    'a stable coin that is a factory',
    10,
    (file) => {
      file['usdc'] = file.venues[0]!['factory']
    },
    'NOT_A_TOKEN',
    'usdc',
  ],
  [
    'a connector token of another chain',
    8453,
    (file) => {
      file.connectorTokens[1]!.address = nobody
    },
    'NO_CODE',
    'connectorTokens[1]',
  ],
  [
    'a factory of another chain',
    42161,
    (file) => {
      file.venues[0]!['factory'] = nobody
    },
    'NO_CODE',
    'venues[0].factory',
  ],
  [
    'the factory of another kind',
    8453,
    (file) => {
      file.venues[0]!['factory'] = file.venues[1]!['factory']
    },
    'WRONG_FACTORY',
    'venues[0].factory',
  ],
  [
    'the hash of other creation code',
    10,
    (file) => {
      file.venues[1]!['initCodeHash'] = wrongHash
    },
    'WRONG_POOL_ADDRESS',
    'venues[1].initCodeHash',
  ],
  [
    'another deployer',
    8453,
    (file) => {
      venueIn(file, 'pancakeswap-v3')['deployer'] = file.venues[0]!['factory']
    },
    'WRONG_POOL_ADDRESS',
    'venues[3].initCodeHash',
  ],
  [
    'a tick spacing that the fee does not have',
    1,
    (file) => {
      file.venues[1]!.tiers = [{ fee: 500, tickSpacing: 11 }]
    },
    'WRONG_TIER',
    'venues[1].tiers[0]',
  ],
  [
    'a tick spacing that the factory does not have',
    10,
    (file) => {
      venueIn(file, 'velodrome-slipstream').tiers.push({ tickSpacing: 7 })
    },
    'WRONG_TIER',
    'venues[3].tiers[1]',
  ],
  [
    'the callback of another venue',
    42161,
    (file) => {
      venueIn(file, 'pancakeswap-v3')['callback'] = 'uniswapV3SwapCallback'
    },
    'WRONG_CALLBACK',
    'venues[3].callback',
  ],
  [
    'another word of the lock',
    42161,
    (file) => {
      venueIn(file, 'algebra-integral')['unlockedWord'] = 4
    },
    'WRONG_LOCK',
    'venues[4].unlockedWord',
  ],
  [
    'another contract for the PoolManager',
    1,
    (file) => {
      venueIn(file, 'uniswap-v4')['factory'] = file.venues[0]!['factory']
    },
    'WRONG_FACTORY',
    'venues[2].factory',
  ],
  [
    'a listed pool that is not there',
    1,
    (file) => {
      file.pools[0]!.address = nobody
    },
    'NO_CODE',
    'pools[0].address',
  ],
  [
    'the tokens of a listed pool in another order',
    1,
    (file) => {
      file.pools[0]!.tokens.reverse()
    },
    'WRONG_TOKENS',
    'pools[0].tokens',
  ],
  [
    'a listed pool without one of its tokens',
    1,
    (file) => {
      file.pools.find(({ tokens }) => tokens.length > 2)!.tokens.pop()
    },
    'WRONG_TOKENS',
    '.tokens',
  ],
]

function venueIn({ venues }: File, id: string) {
  return venues.find((venue) => venue.id === id)!
}

async function findingsOf({ rpcUrl }: DevnetChain, file: unknown) {
  return await checkConfig(createRpc(rpcUrl), parseChainConfig(file), 'latest' as `0x${string}`)
}

describe('planted faults', () => {
  test.each(plants)('default: %s', async (_, chainId, plant, code, at) => {
    const chain = chainOf(chainId)
    const file = structuredClone(chain.configFile) as File
    plant(file)
    const { faults } = await findingsOf(chain, file)
    expect(faults).toContainEqual(
      expect.objectContaining({ code, at: expect.stringContaining(at) }),
    )
    expect(faults).toHaveLength(1)
  })

  test('property: any address that is replaced by another is found', async () => {
    const chain = chainOf(1)
    const given = JSON.stringify(chain.configFile)
    const addresses = [...given.matchAll(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g)].filter(
      ({ index }) => !/"feeRecipient":"$/.test(given.slice(0, index)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.nat(addresses.length - 1),
        fc.bigInt(1n << 100n, 1n << 150n),
        async (place, number) => {
          const { 0: old, index } = addresses[place]!
          const address = `0x${number.toString(16).padStart(40, '0')}`
          const file = given.slice(0, index) + address + given.slice(index + old.length)
          expect((await findingsOf(chain, JSON.parse(file))).faults).not.toEqual([])
        },
      ),
      { numRuns: 25 },
    )
  })

  test('default: a fee that no factory tells differs in the swaps', async () => {
    const { configFile, rpcUrl } = chainOf(10)
    const file = structuredClone(configFile) as File
    file.venues[0]!['feePips'] = 2_500
    const report = await runCheck(createRpc(rpcUrl), { config: file, pools: 2, sizes: [1_000] })
    expect(report.config.faults).toEqual([])
    expect(report.isRight).toBe(false)
    const [v2] = report.venues
    expect(v2).toMatchObject({ venue: 'uniswap-v2', agrees: 0, swaps: { same: 0 } })
    expect(reportText(report)).toMatch(/swaps differ:\n {2}\d+ of 0x/)
  })

  test('error: the node serves another chain', async () => {
    const options = { config: chainOf(10).configFile }
    await expect(runCheck(createRpc(chainOf(1).rpcUrl), options)).rejects.toThrow(
      'The config is for chain 10, but the node is on chain 1.',
    )
  })
})

describe('the program', () => {
  const program = async (...args: string[]) => {
    const options = ['--conditions=development', '--import', 'tsx', 'packages/cli/src/main.ts']
    const run = promisify(execFile)(process.execPath, [...options, 'check', ...args], {
      cwd: inRepository('.'),
    })
    return await run.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stderr, stdout }) => ({ code, stdout, stderr }),
    )
  }

  test('default: prints a table, and writes everything to a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-check-'))
    const [config, json] = [join(folder, 'config.json'), join(folder, 'report.json')]
    const { configFile, rpcUrl } = chainOf(10)
    writeFileSync(config, JSON.stringify(configFile))
    const args = [
      '--rpc',
      rpcUrl,
      '--config',
      config,
      '--json',
      json,
      '--pools',
      '2',
      '--sizes',
      '5',
    ]
    const { code, stderr, stdout } = await program(...args)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/uniswap-v3 +2 +4 +100.00 % +0 bp/)])
    expect(stderr).toContain('Checking the config of Optimism at block')
    const report = JSON.parse(readFileSync(json, 'utf8')) as {
      attempts: object[]
      isRight: boolean
    }
    expect(report).toMatchObject({ schema: 1, chainId: 10, isRight: true })
    expect(report.attempts[0]).toMatchObject({ verdict: 'same', amountIn: expect.any(String) })
    rmSync(folder, { recursive: true })
  })

  test('error: no message contains the URL of the node', async () => {
    const { code, stderr } = await program('--rpc', 'http://127.0.0.1:1/SECRET')
    expect([code, stderr.trim()]).toEqual([
      1,
      'The node did not answer eth_chainId. Check that it runs and that its URL is correct.',
    ])
  })

  test.each([
    [[], 'Missing: --rpc. See sluice check --help.'],
    [['--rpc', 'node'], '--rpc must be an http or https URL. See sluice check --help.'],
    [
      ['--rpc', 'http://127.0.0.1:1', '--pools', 'x'],
      '--pools must be whole numbers from 1 on, not "x". See sluice check --help.',
    ],
    [
      ['--rpc', 'http://127.0.0.1:1', '--chain', '5'],
      'Chain 5 has no built-in config. Pass one with --config. See sluice check --help.',
    ],
    [
      ['--rpc', 'http://127.0.0.1:1', '--hindsight', '9', '8'],
      '--hindsight must name the earlier block first, not 9 8. See sluice check --help.',
    ],
    [
      ['--rpc', 'http://127.0.0.1:1', '--hindsight', '9'],
      '--hindsight takes two numbers of blocks: FROM TO. See sluice check --help.',
    ],
    [
      ['--rpc', 'http://127.0.0.1:1', '--hindsight', '1', '20000'],
      '--hindsight takes at most 10000 blocks, not 20000. Look at parts of the range. See sluice check --help.',
    ],
    [
      ['--rpc', 'http://127.0.0.1:1', '--hindsight', '1', '2', '--pools', '3'],
      '--pools is of no use with --hindsight. See sluice check --help.',
    ],
    [
      ['--rpc', 'http://127.0.0.1:1', '--most', '3'],
      '--most is of no use without --hindsight. See sluice check --help.',
    ],
    [
      ['--rpc', 'http://127.0.0.1:1', '--hindsight', '1', '2', '--routers', 'odos,oddos'],
      '--routers takes addresses and universal-router, swap-router-02, 0x, 1inch, cow, kyberswap, odos, lifi, paraswap, not "oddos". See sluice check --help.',
    ],
  ])('error: %j', async (args, message) => {
    const { code, stderr } = await program(...args)
    expect([code, stderr.trim()]).toEqual([2, message])
  })
})
