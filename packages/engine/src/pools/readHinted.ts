import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import { askAll } from './askAll.js'
import type { Held } from './createReadings.js'
import type { HintedPool } from './hintedEvents.js'

/** The Vault that holds the tokens of a Balancer V2 pool, and the pool's id in it. Both are constant. */
export type Place = { readonly vault: Address; readonly id: Hex }

const factoryAbi = parseAbi(['function getVault() view returns (address)'])
const poolAbi = parseAbi(['function getPoolId() view returns (bytes32)'])
const vaultV2Abi = parseAbi([
  'function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChange)',
])
const vaultV3Abi = parseAbi([
  'struct TokenInfo { uint8 tokenType; address rateProvider; bool paysYieldFees; }',
  'function getPoolTokenInfo(address pool) view returns (address[] tokens, TokenInfo[] tokenInfo, uint256[] balances, uint256[] lastBalances)',
])

type Read = { readonly to: Address; readonly data: Hex }

/**
 * Reads what pools hold from their Vaults, one call for each.
 *
 * @param places Places that are known. Found ones are added.
 * @returns In the order of the pools; `undefined` for a pool without tokens, or with an empty one.
 * @throws if the node answers nothing.
 */
export async function readHinted(
  ask: AskNode,
  pools: readonly HintedPool[],
  places: Map<Address, Place>,
): Promise<readonly (Held | undefined)[]> {
  await findPlaces(ask, pools, places)
  const reads = pools.map(({ pool, registry, shape }): Read | undefined => {
    if (shape === 'balancerV3')
      return {
        to: registry,
        data: encodeFunctionData({
          abi: vaultV3Abi,
          functionName: 'getPoolTokenInfo',
          args: [pool],
        }),
      }
    const place = places.get(pool)
    return (
      place && {
        to: place.vault,
        data: encodeFunctionData({
          abi: vaultV2Abi,
          functionName: 'getPoolTokens',
          args: [place.id],
        }),
      }
    )
  })
  const known = reads.flatMap((each) => each ?? [])
  const answers = (await call(ask, known)).values()
  return reads.map((read, index) => {
    const data = read && answers.next().value
    return data && depthOf(pools[index]!, data)
  })
}

/** Asks each new Balancer V2 pool for its id, and its factory for the Vault. */
async function findPlaces(
  ask: AskNode,
  pools: readonly HintedPool[],
  places: Map<Address, Place>,
): Promise<void> {
  const fresh = pools.filter(({ pool, shape }) => shape === 'balancerV2' && !places.has(pool))
  const factories = [...new Set(fresh.map(({ registry }) => registry))]
  const getVault = encodeFunctionData({ abi: factoryAbi, functionName: 'getVault' })
  const getPoolId = encodeFunctionData({ abi: poolAbi, functionName: 'getPoolId' })
  const answers = await call(ask, [
    ...factories.map((to) => ({ to, data: getVault })),
    ...fresh.map(({ pool }) => ({ to: pool, data: getPoolId })),
  ])
  for (const [index, { pool, registry }] of fresh.entries()) {
    const vault = answers[factories.indexOf(registry)]
    const id = answers[factories.length + index]
    if (isWord(vault) && isWord(id)) places.set(pool, { vault: `0x${vault.slice(-40)}`, id })
  }
}

function isWord(data: Hex | undefined): data is Hex {
  return data !== undefined && /^0x[0-9a-f]{64}$/.test(data)
}

/** Results of reads; `undefined` for those that failed. */
async function call(ask: AskNode, reads: readonly Read[]): Promise<readonly (Hex | undefined)[]> {
  return await askAll(
    ask,
    reads.map((read) => ({ method: 'eth_call', params: [read, 'latest'] })),
  )
}

function depthOf({ pool, shape }: HintedPool, data: Hex): Held | undefined {
  try {
    const held = heldIn(shape, data).filter(({ token }) => token !== pool)
    const isDeep = held.length > 1 && held.every(({ balance }) => balance > 0n)
    if (!isDeep) return undefined
    return {
      pool,
      tokens: held.map(({ token }) => token),
      balances: held.map(({ balance }) => Number(balance)),
    }
  } catch {
    return undefined
  }
}

function heldIn(shape: HintedPool['shape'], data: Hex) {
  const [tokens, balances] =
    shape === 'balancerV2'
      ? decodeFunctionResult({ abi: vaultV2Abi, functionName: 'getPoolTokens', data })
      : takeFirstAndThird(
          decodeFunctionResult({ abi: vaultV3Abi, functionName: 'getPoolTokenInfo', data }),
        )
  return tokens.map((token, index) => ({
    token: token.toLowerCase() as Address,
    balance: balances[index] ?? 0n,
  }))
}

function takeFirstAndThird<first, third>([first, , third]: readonly [
  first,
  unknown,
  third,
  unknown,
]): [first, third] {
  return [first, third]
}
