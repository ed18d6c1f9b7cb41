import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Chains } from '@sluice/domain'
import { describe, expect, test } from 'vitest'
import { parseChainConfig } from '../src/index.js'

const weth = '0x4200000000000000000000000000000000000006'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const v2Factory = '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6'
const v3Factory = '0x33128a8fC17869897dcE68Ed026d694621f6FDfD'

const minimal = {
  chainId: 8453,
  wrappedNative: weth,
  usdc,
  connectorTokens: [weth, { symbol: 'USDC', address: usdc }],
  venues: [
    { id: 'uniswap-v2', kind: 'uniswapV2', factory: v2Factory },
    { id: 'uniswap-v3', kind: 'uniswapV3', factory: v3Factory },
  ],
}

describe('parseChainConfig', () => {
  test('default: fills in defaults', () => {
    expect(parseChainConfig(minimal)).toEqual({
      chainId: 8453,
      name: 'Chain 8453',
      wrappedNative: weth,
      usdc,
      slu: null,
      feeRecipient: null,
      blockTimeMs: 2_000,
      connectorTokens: [weth, usdc],
      venues: [
        {
          id: 'uniswap-v2',
          kind: 'uniswapV2',
          factory: v2Factory,
          deployer: v2Factory,
          initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
          feePips: 3_000,
          tiers: [{ key: 0n, feePips: 3_000, tickSpacing: 0 }],
          callback: '0x00000000',
          unlockedWord: 0,
        },
        {
          id: 'uniswap-v3',
          kind: 'uniswapV3',
          factory: v3Factory,
          deployer: v3Factory,
          initCodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
          feePips: 0,
          tiers: [
            { key: 100n, feePips: 100, tickSpacing: 1 },
            { key: 500n, feePips: 500, tickSpacing: 10 },
            { key: 3_000n, feePips: 3_000, tickSpacing: 60 },
            { key: 10_000n, feePips: 10_000, tickSpacing: 200 },
          ],
          callback: '0xfa461e33',
          unlockedWord: 6,
        },
      ],
      pools: [],
    })
  })

  test("behavior: converts a callback's name to its selector", () => {
    const named = venueWith({ kind: 'uniswapV3', callback: 'pancakeV3SwapCallback' })
    expect(parseChainConfig(named).venues[0]!.callback).toBe('0x23a69e75')
    const selector = venueWith({ kind: 'uniswapV3', callback: '0x23A69E75' })
    expect(parseChainConfig(selector).venues[0]!.callback).toBe('0x23a69e75')
  })

  test('behavior: fills in tiers and keys of Slipstream, Algebra and Uniswap V4', () => {
    const initCodeHash = `0x${'ab'.repeat(32)}`
    const hooks = '0x00000000000000000000000000000000000000ff'
    const { venues } = parseChainConfig({
      ...minimal,
      venues: [
        { id: 'a', kind: 'slipstream', factory: v3Factory, initCodeHash },
        { id: 'b', kind: 'algebra', factory: v2Factory, deployer: v3Factory, initCodeHash },
        {
          id: 'c',
          kind: 'uniswapV4',
          factory: v3Factory,
          tiers: [
            { fee: 500, tickSpacing: 10 },
            { fee: 500, tickSpacing: 10, native: true },
            { fee: 0x800000, tickSpacing: 60, hooks },
          ],
        },
      ],
    })
    expect(venues).toEqual([
      {
        id: 'a',
        kind: 'slipstream',
        factory: v3Factory,
        deployer: v3Factory,
        initCodeHash,
        feePips: 0,
        tiers: [1, 50, 100, 200, 2_000].map((tickSpacing) => ({
          key: BigInt(tickSpacing),
          feePips: 0,
          tickSpacing,
        })),
        callback: '0xfa461e33',
        unlockedWord: 5,
      },
      {
        id: 'b',
        kind: 'algebra',
        factory: v2Factory,
        deployer: v3Factory,
        initCodeHash,
        feePips: 0,
        tiers: [{ key: 0n, feePips: 0, tickSpacing: 0 }],
        callback: '0x2c8958f6',
        unlockedWord: 7,
      },
      {
        id: 'c',
        kind: 'uniswapV4',
        factory: v3Factory,
        deployer: v3Factory,
        initCodeHash: `0x${weth.slice(2).padStart(64, '0')}`,
        feePips: 0,
        tiers: [
          { key: 0xa_0001f4n, feePips: 500, tickSpacing: 10 },
          { key: 0x8000_0a_0001f4n, feePips: 500, tickSpacing: 10 },
          { key: 0xff_00003c_800000n, feePips: 0, tickSpacing: 60 },
        ],
        callback: '0x91dd7346',
        unlockedWord: 0,
      },
    ])
  })

  test.each([
    ['a list', [], 'config must be an object.'],
    ['a missing member', { ...minimal, usdc: undefined }, 'config lacks "usdc".'],
    ['an unknown member', { ...minimal, wbtc: weth }, 'config has the unknown member "wbtc".'],
    [
      'a string as chain id',
      { ...minimal, chainId: '1' },
      'chainId must be an integer from 1 to 9007199254740991.',
    ],
    [
      'a wrong checksum',
      { ...minimal, usdc: usdc.replace('fC', 'fc') },
      'usdc must be an address with a valid checksum.',
    ],
    [
      'the zero address',
      { ...minimal, usdc: `0x${'0'.repeat(40)}` },
      'usdc must not be the zero address.',
    ],
    [
      'a repeated connector',
      { ...minimal, connectorTokens: [weth, weth] },
      `connectorTokens contains ${weth} twice.`,
    ],
    [
      'a repeated venue',
      { ...minimal, venues: [minimal.venues[0], minimal.venues[0]] },
      'venues contains uniswap-v2 twice.',
    ],
    [
      'an unknown kind',
      venueWith({ kind: 'sushi' }),
      'venues[0].kind must be one of uniswapV2, uniswapV3, slipstream, algebra, uniswapV4, solidly, curve, balancerWeighted, balancerStable, adapter.',
    ],
    [
      'tiers for Uniswap V2',
      venueWith({ kind: 'uniswapV2', tiers: [] }),
      'venues[0] has the unknown member "tiers".',
    ],
    [
      'a fee of 100 %',
      venueWith({ kind: 'uniswapV2', feePips: 1_000_000 }),
      'venues[0].feePips must be an integer from 0 to 999999.',
    ],
    [
      'no tiers',
      venueWith({ kind: 'uniswapV3', tiers: [] }),
      'venues[0].tiers must contain at least one tier.',
    ],
    [
      'a tier without spacing',
      venueWith({ kind: 'uniswapV3', tiers: [{ fee: 100 }] }),
      'venues[0].tiers[0] lacks "tickSpacing".',
    ],
    [
      'a repeated tier',
      venueWith({
        kind: 'uniswapV3',
        tiers: [
          { fee: 1, tickSpacing: 1 },
          { fee: 1, tickSpacing: 2 },
        ],
      }),
      'venues[0].tiers contains 1 twice.',
    ],
    [
      'Slipstream without initCodeHash',
      { ...minimal, venues: [{ id: 'a', kind: 'slipstream', factory: v3Factory }] },
      'venues[0] lacks "initCodeHash".',
    ],
    [
      'a dynamic fee without hooks',
      {
        ...minimal,
        venues: [
          {
            id: 'a',
            kind: 'uniswapV4',
            factory: v3Factory,
            tiers: [{ fee: 0x800000, tickSpacing: 60 }],
          },
        ],
      },
      'venues[0].tiers[0].fee must be an integer from 0 to 999999.',
    ],
    [
      'a long venue id',
      venueWith({ kind: 'uniswapV2', id: 'x'.repeat(33) }),
      'venues[0].id must be 1 to 32 ASCII characters.',
    ],
    [
      'a short hash',
      venueWith({ kind: 'uniswapV2', initCodeHash: '0x12' }),
      'venues[0].initCodeHash must be 32 bytes in hex.',
    ],
    [
      'a callback signature',
      venueWith({ kind: 'uniswapV3', callback: 'swap(int256)' }),
      'venues[0].callback must be a function name or a 4-byte selector.',
    ],
    [
      'a short selector',
      venueWith({ kind: 'uniswapV3', callback: '0x12' }),
      'venues[0].callback must be a 4-byte selector.',
    ],
  ])('error: %s', (_, config, message) => {
    expect(() => parseChainConfig(config)).toThrow(`Chain config: ${message}`)
  })
})

test('error: names every wrong member', () => {
  const config = { ...minimal, usdc: undefined, blockTimeMs: 0, connectorTokens: [weth, '0x12'] }
  expect(() => parseChainConfig(config)).toThrow(
    [
      'Chain config: config lacks "usdc".',
      'Chain config: blockTimeMs must be an integer from 1 to 3600000.',
      'Chain config: connectorTokens[1] must be an address with a valid checksum.',
    ].join('\n'),
  )
})

describe('the chain configs of this package', () => {
  const folder = join(import.meta.dirname, '../chains')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

  test('default: each known chain has a config', () => {
    expect(files.sort()).toEqual(Chains.all.map(({ chainId }) => `${chainId}.json`).sort())
  })

  test.each(files)('behavior: %s is valid and named after its chain', (name) => {
    const config = parseChainConfig(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    expect(`${config.chainId}.json`).toBe(name)
    expect(config.connectorTokens.length).toBe(config.chainId === 4_663 ? 3 : 5)
    const { blockTimeMs, usdc, wrappedNative } = Chains.find(config.chainId)!
    expect(config).toMatchObject({ blockTimeMs, usdc, wrappedNative })
    expect(config.connectorTokens).toContain(config.wrappedNative)
    expect(config.connectorTokens).toContain(config.usdc)
  })
})

function venueWith(members: object) {
  return { ...minimal, venues: [{ ...minimal.venues[0], ...members }] }
}
