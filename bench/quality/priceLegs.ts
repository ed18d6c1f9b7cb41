import { pricerAbi } from '@sluice/abi'
import type { Plan } from '@sluice/domain'
import {
  type Address,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
} from 'viem'
import type { OracleEdge } from '../optimizer/Oracle.js'
import type { Standing } from './Standing.js'

type Found = ContractFunctionReturnType<typeof pricerAbi, 'view', 'findPools'>[0][number]

/** What the deployed Pricer says of single swaps between the tokens in play. */
export type LegPrices = {
  /** Gas of a swap of so much on one of the oracle's directed pools. */
  gasOf(edge: OracleEdge, amountIn: number): Promise<number>
  /** Gas of a route's legs, each with what is then held. */
  gasOfRoute(route: Plan.Route): Promise<number>
}

/** Reads the pools that a quote of the two tokens reads. */
export async function priceLegs(
  { contracts, connectors, pools, rpc, tokens }: Standing,
  { tokenIn, tokenOut }: Plan.Asked,
): Promise<LegPrices> {
  const call = async (data: Hex) =>
    await rpc.request<Hex>('eth_call', [{ to: contracts.pricer, data }, 'latest'])
  const between = connectors
    .map((token) => tokens[token]!)
    .filter((token) => !isSame(token, tokenIn) && !isSame(token, tokenOut))
  const functionName = 'findPools'
  const args = [contracts.hub, [...between, tokenIn, tokenOut], BigInt(between.length)] as const
  const data = encodeFunctionData({ abi: pricerAbi, functionName, args })
  const [found] = decodeFunctionResult({ abi: pricerAbi, functionName, data: await call(data) })

  const find = (from: Address, to: Address, address: Address, key?: bigint): Found => {
    const pool = found.find(
      (candidate) =>
        isSame(candidate.pool, address) &&
        [from, to].every((token) =>
          [candidate.address0, candidate.address1].some((own) => isSame(own, token)),
        ) &&
        (key === undefined || candidate.tier.key === key),
    )
    if (!pool) throw new Error(`The Pricer does not read the pool ${address}.`)
    return pool
  }
  const quote = async (pool: Found, from: Address, amountIn: bigint) => {
    const data = encodeFunctionData({
      abi: pricerAbi,
      functionName: 'quote',
      args: [pool, isSame(pool.address0, from), amountIn],
    })
    return decodeFunctionResult({ abi: pricerAbi, functionName: 'quote', data: await call(data) })
  }
  return {
    async gasOf(edge, amountIn) {
      const [from, to] = [tokens[edge.from]!, tokens[edge.to]!]
      const { address, key } = pools.get(edge.pool.id)!
      const [, gas] = await quote(find(from, to, address, key), from, BigInt(Math.floor(amountIn)))
      return Number(gas)
    },
    async gasOfRoute({ amountIn, legs, tokenIn }) {
      const held = new Map([[tokenIn.toLowerCase(), amountIn]])
      let total = 0
      for (const leg of legs) {
        const [from, to] = [leg.tokenIn.toLowerCase(), leg.tokenOut.toLowerCase()]
        const amount = ((held.get(from) ?? 0n) * leg.share) / WHOLE_SHARE
        const pool = find(leg.tokenIn, leg.tokenOut, leg.pool, leg.key)
        const [amountOut, gas] = await quote(pool, leg.tokenIn, amount)
        held.set(from, held.get(from)! - amount)
        held.set(to, (held.get(to) ?? 0n) + amountOut)
        total += Number(gas)
      }
      return total
    },
  }
}

const WHOLE_SHARE = 10n ** 18n

function isSame(a: Address, b: Address): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
