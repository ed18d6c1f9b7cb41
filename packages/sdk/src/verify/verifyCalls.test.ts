import { routerAbi } from '@sluice/abi'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { deployments } from '../../../domain/test/deployments.js'
import { quoteBody } from '../../test/service.js'
import { parseQuote } from '../amounts.js'
import { IntegrityError, type Quote } from '../index.js'
import { readRegistry, verifyCalls } from './index.js'

const registry = readRegistry(deployments)
const { contracts, wrappedNative } = registry.get(8453)!
const now = 1_700_000_000
const recipient = '0x00000000000000000000000000000000000000AA'
const request = {
  chain: 'base',
  in: 'ETH',
  out: 'USDC',
  amountIn: 10n ** 18n,
  recipient,
  deadlineSec: 120,
} as const
const plain: Quote = parseQuote(quoteBody)
const approveData = (spender: string, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, amount] })
const swapData = encodeFunctionData({
  abi: routerAbi,
  functionName: 'swapExactIn',
  args: [
    plain.route,
    plain.route.amountIn,
    plain.quote!.effectiveMinOut,
    recipient,
    BigInt(now + 120),
  ],
})

type Call = NonNullable<Quote['calls']>[number]
const calls: readonly Call[] = [
  { purpose: 'wrap', to: wrappedNative, data: '0xd0e30db0', value: 10n ** 18n, gas: 1n },
  {
    purpose: 'reset_allowance',
    to: wrappedNative,
    data: approveData(contracts.router, 0n),
    value: 0n,
    gas: 1n,
  },
  {
    purpose: 'approve',
    to: wrappedNative,
    data: approveData(contracts.router, 10n ** 18n),
    value: 0n,
    gas: 1n,
  },
  { purpose: 'swap', to: contracts.router, data: swapData, value: 0n, gas: 1n },
]

function checkOf(changed: readonly Call[]): string | undefined {
  try {
    verifyCalls({ request, quote: { ...plain, calls: changed }, registry, now, clockSkewSec: 0 })
    return undefined
  } catch (error) {
    if (error instanceof IntegrityError) return error.check
    throw error
  }
}

const { versions } = deployments.chains['8453']!
/** The same contracts as both generations. */
const bothVersions = { ...versions, '2.0.0': versions['1.0.0']! }

describe('verifyCalls', () => {
  test('default: the calls of an honest quote pass', () => {
    expect(checkOf(calls)).toBeUndefined()
    expect(checkOf([])).toBeUndefined()
  })

  const evil = '0x00000000000000000000000000000000000000ee'
  test.each<[string, number, Partial<Call>, string]>([
    ['a wrap of more than is sold', 0, { value: 10n ** 18n + 1n }, 'value'],
    ['a wrap in another contract', 0, { to: evil }, 'to'],
    ['a wrap that does something else', 0, { data: '0xd0e30db1' }, 'data'],
    ['a reset that approves', 1, { data: approveData(contracts.router, 1n) }, 'data'],
    ['an approval of a stranger', 2, { data: approveData(evil, 10n ** 18n) }, 'data'],
    [
      'an approval of more than is sold',
      2,
      { data: approveData(contracts.router, 10n ** 18n + 1n) },
      'data',
    ],
    ['an approval of another token', 2, { to: evil }, 'to'],
    ['an approval that sends coin', 2, { value: 1n }, 'value'],
    ['a swap through another contract', 3, { to: evil }, 'to'],
  ])('error: %s', (_, at, change, check) => {
    expect(
      checkOf(calls.map((call, index) => (index === at ? { ...call, ...change } : call))),
    ).toBe(check)
  })

  test('behavior: with a permit that the sender cannot give, the approval and the swap pass', () => {
    const second = readRegistry({
      ...deployments,
      chains: { 8453: { ...deployments.chains['8453']!, versions: bothVersions } },
    } as typeof deployments)
    const asked = { ...request, in: 'WETH', version: 2, sender: recipient, signature: 'permit' }
    const check = (changed: readonly Call[]) =>
      verifyCalls({
        ...{ request: asked, registry: second, now, clockSkewSec: 0 },
        quote: { ...plain, calls: changed },
      })
    expect(check(calls.slice(2))).toHaveLength(2)
    expect(() => check([{ ...calls[2]!, data: approveData(evil, 10n ** 18n) }])).toThrow(
      IntegrityError,
    )
  })
})
