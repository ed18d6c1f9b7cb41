import { describe, expect, test } from 'vitest'
import {
  type Call,
  deployGeneration,
  generation,
  parseChainConfig,
  type Rpc,
  secondGeneration,
} from '../src/index.js'

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const weth = '0x4200000000000000000000000000000000000006'

describe('generation', () => {
  test('default: addresses depend only on the deployer', () => {
    expect(generation(owner)).toEqual(generation(owner))
    const addresses = generation(owner).map(({ address }) => address)
    expect(new Set(addresses).size).toBe(8)
    const others = generation(weth).map(({ address }) => address)
    // Contracts without an owner argument have the same address for every owner.
    expect(addresses.filter((address) => others.includes(address))).toEqual([
      addresses[1],
      addresses[2],
      addresses[3],
      addresses[4],
    ])
  })
})

describe('secondGeneration', () => {
  test('default: 2.0.0 shares the solver contracts, and its addresses also depend on the token', () => {
    const byName = (contracts: ReturnType<typeof generation>) =>
      new Map(contracts.map(({ address, name }) => [name, address]))
    const [first, second] = [byName(generation(owner)), byName(secondGeneration(owner, weth))]
    for (const name of ['hub', 'optimizer', 'sampler', 'finder', 'pricer', 'solver'] as const)
      expect(second.get(name)).toBe(first.get(name))
    for (const name of ['router', 'quoter'] as const)
      expect(second.get(name)).not.toBe(first.get(name))
    const other = byName(secondGeneration(owner, owner))
    expect(other.get('staking')).not.toBe(second.get('staking'))
    expect(other.get('router')).not.toBe(second.get('router'))
  })
})

describe('deployGeneration', () => {
  test('error: a chain without the deterministic deployer', async () => {
    const rpc = nodeWith({ eth_chainId: '0x1', eth_getCode: '0x' })
    await expect(deployGeneration(rpc, { config: configFor(1) })).rejects.toMatchObject({
      code: 'NO_DETERMINISTIC_DEPLOYER',
      message:
        'Chain 1 lacks the deterministic deployer at 0x4e59b44847b379578588920cA78FbF26c0B4956C. Send its published creation transaction first.',
    })
  })

  test('error: the node serves another chain', async () => {
    const rpc = nodeWith({ eth_chainId: '0xa', eth_getCode: '0x00' })
    await expect(deployGeneration(rpc, { config: configFor(1) })).rejects.toMatchObject({
      code: 'WRONG_CHAIN',
    })
  })

  test('error: there is neither a key nor an unlocked account', async () => {
    const rpc = nodeWith({ eth_chainId: '0x1', eth_getCode: '0x00', eth_accounts: [] })
    await expect(deployGeneration(rpc, { config: configFor(1) })).rejects.toMatchObject({
      code: 'NO_ACCOUNT',
      message:
        'The node has no account that can sign. Pass a key with --key-file or DEPLOY_KEY, or use a node with an unlocked account or a hardware wallet.',
    })
  })

  test('error: 2.0.0 on a chain without the protocol token', async () => {
    const rpc = nodeWith({ eth_chainId: '0x1', eth_getCode: '0x00', eth_accounts: [owner] })
    const options = { config: configFor(1), version: '2.0.0' } as const
    await expect(deployGeneration(rpc, options)).rejects.toMatchObject({
      code: 'NO_SLU',
      message:
        '2.0.0 needs the protocol\'s token, but Chain 1 has none. Set "slu" in the config to a token that is deployed there.',
    })
  })

  test('error: the message for an invalid key does not contain the key', async () => {
    const rpc = nodeWith({ eth_chainId: '0x1', eth_getCode: '0x00' })
    const options = { config: configFor(1), key: '0x1234' } as const
    await expect(deployGeneration(rpc, options)).rejects.toMatchObject({
      code: 'NO_ACCOUNT',
      message: 'The private key must be 32 bytes in hex, with 0x.',
    })
  })
})

/** A fake node with one response per method; any other method fails the test. */
function nodeWith(answers: Record<string, unknown>): Rpc {
  const answer = (method: string) => {
    if (method in answers) return answers[method]
    throw new Error(`${method} was not expected`)
  }
  return {
    request: async <result>(method: string) => answer(method) as result,
    batch: async <result>(calls: readonly Call[]) =>
      calls.map(([method]) => answer(method) as result),
  }
}

function configFor(chainId: number) {
  return parseChainConfig({
    chainId,
    wrappedNative: weth,
    usdc: weth,
    connectorTokens: [],
    venues: [],
  })
}
