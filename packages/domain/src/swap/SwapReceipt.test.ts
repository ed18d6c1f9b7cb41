import { routerAbi, routerV2Abi } from '@sluice/abi'
import { type Address, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { SwapReceipt } from '../index.js'

const address = (digit: string) => `0x${digit.repeat(40)}` as Address
const [v1, v2, other] = ['1', '2', '9'].map(address) as [Address, Address, Address]
const [user, weth, usdc, integrator] = ['a', 'b', 'c', 'd'].map(address) as [
  Address,
  Address,
  Address,
  Address,
]
const routers = [v1, v2]

function log(router: Address, eventName: string, args: object, words: readonly bigint[]) {
  const abi = router === v1 ? routerAbi : routerV2Abi
  const topics = encodeEventTopics({ abi, eventName, args } as never) as Hex[]
  const types = words.map(() => ({ type: 'uint256' }) as const)
  return { address: router, topics, data: encodeAbiParameters(types, [...words]) }
}

const swap = (router: Address, amountIn: bigint) =>
  log(router, 'Swap', { user, tokenIn: weth, tokenOut: usdc }, [amountIn, 990n, 2n])
const fee = (router: Address, amount: bigint, token = usdc) =>
  log(router, 'Fee', { token }, [amount, 1n, 1n])
const proof = (quoted: bigint) =>
  log(v2, 'ExecutionProof', { user, tokenOut: usdc }, [quoted, 990n, 980n, 7n])
const integratorFee = (amount: bigint) =>
  log(v2, 'IntegratorFee', { integrator, token: usdc }, [amount])

describe('SwapReceipt.swapsIn', () => {
  test('default: a swap with its fees and its proof', () => {
    const logs = [fee(v2, 3n), integratorFee(5n), swap(v2, 1_000n), proof(991n)]
    expect(SwapReceipt.swapsIn(logs, routers)).toEqual([
      {
        ...{ router: v2, user, tokenIn: weth, tokenOut: usdc },
        ...{ amountIn: 1_000n, amountOut: 990n, legs: 2n },
        proof: { quoted: 991n, floor: 980n },
        fee: 3n,
        integratorFee: { integrator, amount: 5n },
      },
    ])
  })

  test('behavior: several swaps of a transaction keep their own fees and proofs', () => {
    const logs = [
      ...[fee(v2, 3n), integratorFee(5n), swap(v2, 1n), proof(991n)],
      swap(v1, 2n),
      ...[fee(v2, 4n), swap(v2, 3n), proof(992n)],
      swap(v2, 4n),
    ]
    const told = SwapReceipt.swapsIn(logs, routers).map((each) => [
      each.amountIn,
      each.fee,
      each.integratorFee?.amount,
      each.proof?.quoted,
    ])
    expect(told).toEqual([
      [1n, 3n, 5n, 991n],
      [2n, undefined, undefined, undefined],
      [3n, 4n, undefined, 992n],
      [4n, undefined, undefined, undefined],
    ])
  })

  test('behavior: events of others and of another form tell nothing', () => {
    const forged = { ...swap(v2, 1n), address: other }
    const short = { ...swap(v2, 1n), data: '0x00' as Hex }
    const fewer = { ...swap(v2, 1n), topics: swap(v2, 1n).topics.slice(0, 3) }
    expect(SwapReceipt.swapsIn([forged, short, fewer], routers)).toEqual([])
    const logs = [
      ...[{ ...integratorFee(9n), address: other }, fee(v2, 8n, weth), swap(v2, 1n)],
      { ...proof(999n), address: other },
    ]
    expect(SwapReceipt.swapsIn(logs, routers)).toMatchObject([
      { fee: undefined, integratorFee: undefined, proof: undefined },
    ])
  })

  test('behavior: addresses are compared without regard to case', () => {
    const upper = address('2').replace('0x', '0X').toUpperCase().replace('0X', '0x')
    expect(SwapReceipt.swapsIn([swap(v2, 1n)], [upper])).toHaveLength(1)
  })
})
