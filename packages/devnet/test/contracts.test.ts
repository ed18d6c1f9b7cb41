import {
  type Abi,
  encodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  toBytes,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainSpecs } from '../src/chains.js'
import { type Devnet, startDevnet } from '../src/index.js'
import * as Published from '../src/published.js'
import { clientOf } from './clients.js'

/** Copied from the chains' block explorers, not from the code under test. */
const canonical: Record<number, { weth: Hex; usdc: Hex; v2: Hex; v3: Hex; v4: Hex }> = {
  8453: {
    weth: '0x4200000000000000000000000000000000000006',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    v2: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
    v3: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
    v4: '0x498581fF718922c3f8e6A244956aF099B2652b2b',
  },
  1: {
    weth: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    v2: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
    v3: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    v4: '0x000000000004444c5dc75cB358380D2e3dE08A90',
  },
  10: {
    weth: '0x4200000000000000000000000000000000000006',
    usdc: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    v2: '0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf',
    v3: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    v4: '0x9a13F98Cb987694C9F086b1F5eB990EeA8264Ec3',
  },
  42161: {
    weth: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    usdc: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    v2: '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
    v3: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    v4: '0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32',
  },
}

/** The same on every chain that has it. */
const pancakeV3: Hex = '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865'
const balancerVault: Hex = '0xBA12222222228d8Ba445958a75a0704d566BF2C8'
const slipstream: Record<number, Hex> = {
  8453: '0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A',
  10: '0xCc0bDDB707055e04e497aB22a59c2aF4391cd12F',
}

const factoryAbi = parseAbi(['function feeAmountTickSpacing(uint24) view returns (int24)'])

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
})
afterAll(async () => {
  await devnet?.stop()
})

describe('published bytecode', () => {
  test("default: the pools' creation code is mainnet's", () => {
    expect(keccak256(Published.uniswapV2Pair())).toBe(
      '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
    )
    expect(keccak256(Published.uniswapV3Pool())).toBe(
      '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
    )
  })
})

describe.each([8453, 1, 10, 42161])('chain %i', (chainId) => {
  const chain = () => devnet.chains.find((candidate) => candidate.chainId === chainId)!
  const { weth, usdc, v2, v3, v4 } = canonical[chainId]!

  test('default: the node has the right chain id', async () => {
    expect(await clientOf(chain()).getChainId()).toBe(chainId)
  })

  test('behavior: tokens are at their real addresses', async () => {
    const client = clientOf(chain())
    const abi = parseAbi([
      'function symbol() view returns (string)',
      'function decimals() view returns (uint8)',
    ])
    const read = async (address: Hex) => [
      await client.readContract({ address, abi, functionName: 'symbol' }),
      await client.readContract({ address, abi, functionName: 'decimals' }),
    ]
    expect(await read(weth)).toEqual(['WETH', 18])
    expect(await read(usdc)).toEqual(['USDC', 6])
  })

  test('behavior: factories at their real addresses created every pool', async () => {
    const client = clientOf(chain())
    const { tokens, pools } = chain()
    expect(pools.length).toBeGreaterThan(40)
    const { algebra, solidly } = chainSpecs.find(({ chainId }) => chainId === chain().chainId)!
    const read =
      (factory: Hex | undefined, signature: string, key?: number) => (pair: readonly [Hex, Hex]) =>
        client.readContract({
          address: factory!,
          abi: parseAbi([
            `function ${signature} view returns (address)`,
          ] as readonly string[]) as Abi,
          functionName: signature.split('(')[0]!,
          args: key === undefined ? pair : [...pair, key],
        })
    const ask = (address: Hex, signature: string, ...args: unknown[]) =>
      client.readContract({
        address,
        abi: parseAbi([`function ${signature}`] as readonly string[]) as Abi,
        functionName: signature.split('(')[0]!,
        args,
      })
    for (const { kind, token0, token1, tokens: symbols, feePips, address } of pools) {
      const ofVault = async () => {
        const id = await ask(address, 'getPoolId() view returns (bytes32)')
        expect(await ask(address, 'getVault() view returns (address)')).toBe(balancerVault)
        const [registered] = (await ask(
          balancerVault,
          'getPool(bytes32) view returns (address, uint8)',
          id,
        )) as [Hex, number]
        return registered
      }
      const pair = [tokens[token0]!.address, tokens[token1]!.address] as const
      const finders = {
        uniswapV2: read(v2, 'getPair(address, address)'),
        uniswapV3: read(v3, 'getPool(address, address, uint24)', feePips),
        pancakeV3: read(pancakeV3, 'getPool(address, address, uint24)', feePips),
        slipstream: read(slipstream[chain().chainId], 'getPool(address, address, int24)', 100),
        uniswapV4: async () => v4,
        // The last argument selects the stable pool, which has the lower fee.
        solidly: read(
          solidly?.factory,
          'getPool(address, address, uint24)',
          feePips === 500 ? 1 : 0,
        ),
        algebra: read(algebra?.factory, 'poolByPair(address, address)'),
        // There is no factory: the pool itself names its tokens.
        curve: async () => {
          for (const [index, symbol] of symbols.entries())
            expect(await ask(address, 'coins(uint256) view returns (address)', index)).toBe(
              tokens[symbol]!.address,
            )
          return address
        },
        balancerWeighted: ofVault,
        balancerStable: ofVault,
      }
      const found = finders[kind](pair)
      expect(await found).toBe(address)
    }
  })

  test.each([
    [100, 1],
    [500, 10],
    [3000, 60],
    [10000, 200],
  ])('behavior: the fee tier %i has tick spacing %i', async (fee, spacing) => {
    const call = { address: v3, abi: factoryAbi, functionName: 'feeAmountTickSpacing' } as const
    expect(await clientOf(chain()).readContract({ ...call, args: [fee] })).toBe(spacing)
  })

  test("behavior: Permit2's domain separator is for this chain", async () => {
    const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
    const separator = await clientOf(chain()).readContract({
      address: permit2,
      abi: parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']),
      functionName: 'DOMAIN_SEPARATOR',
    })
    const typeHash = keccak256(
      toBytes('EIP712Domain(string name,uint256 chainId,address verifyingContract)'),
    )
    expect(separator).toBe(
      keccak256(
        encodeAbiParameters(
          [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
          [typeHash, keccak256(toBytes('Permit2')), BigInt(chainId), permit2],
        ),
      ),
    )
  })

  test('behavior: Multicall3 answers', async () => {
    const call = {
      address: '0xcA11bde05977b3631167028862bE2a173976CA11',
      abi: parseAbi(['function getChainId() view returns (uint256)']),
      functionName: 'getChainId',
    } as const
    expect(await clientOf(chain()).readContract(call)).toBe(BigInt(chainId))
  })

  test('behavior: the account is funded with every token', async () => {
    const client = clientOf(chain())
    expect(await client.getBalance(devnet.account)).toBeGreaterThan(900_000n * 10n ** 18n)
    const hostile = ['PYRE', 'BLOAT']
    for (const [symbol, { address, decimals, usd }] of Object.entries(chain().tokens)) {
      if (hostile.includes(symbol)) continue
      const balance = await client.readContract({
        address,
        abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
        functionName: 'balanceOf',
        args: [devnet.account.address],
      })
      expect((Number(balance) / 10 ** decimals) * usd, symbol).toBeGreaterThan(10_000_000)
    }
  })

  test('behavior: the protocol is deployed at the addresses of the deployments file', async () => {
    const { versions, wrappedNative, usdc: fileUsdc } = devnet.deployments.chains[chainId]!
    expect([wrappedNative, fileUsdc]).toEqual([weth, usdc])
    for (const [name, address] of Object.entries(versions['1.0.0']!)) {
      if (name === 'core' || name === 'staking') expect(address).toBe(zeroAddress)
      else expect(typeof (await clientOf(chain()).getCode({ address })), name).toBe('string')
    }
  })
})

describe('the protocol', () => {
  test('behavior: the protocol has the same addresses on every chain', () => {
    const all = Object.values(devnet.deployments.chains).map(({ versions }) => versions['1.0.0'])
    expect(all).toHaveLength(4)
    for (const contracts of all) expect(contracts).toEqual(all[0])
  })

  test('behavior: SLU exists on Base only', () => {
    const withSlu = devnet.chains.filter(({ tokens }) => tokens['SLU'])
    expect(withSlu.map(({ chainId }) => chainId)).toEqual([8453])
    expect(devnet.deployments.chains[8453]!.slu).toBe(
      getAddress(withSlu[0]!.tokens['SLU']!.address),
    )
    expect(devnet.deployments.chains[1]!.slu).toBeNull()
  })
})
