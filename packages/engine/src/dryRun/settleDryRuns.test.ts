import { encodeFunctionData, erc20Abi, toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { type FakeNode, planOf, pool, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import type { Engine } from '../index.js'

const recipient = '0x00000000000000000000000000000000000000AA'
const stranger = '0x000000000000000000000000737472616e676572'
let node: FakeNode
let engine: Engine

beforeEach(async () => {
  node = await startFakeNode()
  engine = engineOn([node])
})

afterEach(async () => {
  engine.stop()
  await node.close()
})

const moved = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [stranger, 1n],
})
const heldByPool = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [pool] })
const allowTransfersOf = (token: string) => {
  node.answers[`${token} ${moved}`.toLowerCase()] = toHex(1, { size: 32 })
}
/** Without this, the node answers that nobody holds anything. */
const poolHoldsTokens = () => {
  for (const token of [tokens.usdc, tokens.weth])
    node.answers[`${token} ${heldByPool}`.toLowerCase()] = toHex(1, { size: 32 })
}
/** The chain of the harness, as if its Router were deployed. */
function deployed() {
  const { chain } = requestOf()
  const router = '0x00000000000000000000000000000000000000f0' as const
  return { ...chain, contracts: { ...chain.contracts, router } }
}
const quote = (changes = {}) =>
  engine.quote(requestOf({ chain: deployed(), recipient, ...changes }))
const codesOf = async (answer: ReturnType<typeof quote>) =>
  (await answer).quote.warnings.map(({ code }) => code)

describe('a quote with a recipient', () => {
  test('default: the call that quotes a swap also runs it', async () => {
    const asked: boolean[] = []
    node.plan = (ask) => {
      asked.push(ask.isExact)
      return planOf(ask)
    }
    const answer = await quote()
    expect(asked).toEqual([true])
    expect(answer.quote.tx).toBeDefined()
    expect(answer.quote.warnings).toEqual([])
    expect(answer.quote.request.isExact).toBe(false)
  })

  test('behavior: no dry run without a recipient', async () => {
    const asked: boolean[] = []
    node.plan = (ask) => {
      asked.push(ask.isExact)
      return planOf(ask)
    }
    await engine.quote(requestOf())
    expect(asked).toEqual([false])
  })

  test('behavior: a token tax is reported, and the numbers are net of it', async () => {
    node.plan = (ask) => {
      if (!ask.isExact) return planOf(ask)
      const untaxed = ask.amountIn * 2n
      return planOf(ask, { grossOut: (untaxed * 9_604n) / 10_000n, upperBound: untaxed + 1n })
    }
    const { quote: answered } = await quote()
    expect(answered.warnings.map(({ code, message }) => [code, message.slice(0, 31)])).toEqual([
      ['taxed_token', 'A tax on transfers takes 3.96 %'],
    ])
    expect(answered.plan.route.grossOut).toBe(1_920_800n)
    expect(answered.tx).toBeDefined()
  })

  test('behavior: no tax warning if the quote is far from its bound without a tax', async () => {
    node.plan = (ask) => planOf(ask, { upperBound: ask.amountIn * 3n })
    expect(await codesOf(quote())).toEqual([])
  })

  test.each([
    ['in', tokens.usdc],
    ['out', tokens.weth],
  ] as const)('error: the token of `%s` refuses transfers', async (field, allowed) => {
    node.plan = (ask) => planOf(ask, { verdict: ask.isExact ? 5 : 0 })
    allowTransfersOf(allowed)
    poolHoldsTokens()
    for (const isExact of [true, false])
      await expect(quote({ isExact })).rejects.toMatchObject({
        code: 'no_route',
        details: [{ field, code: 'transfer_paused' }],
      })
  })

  test('behavior: if no pool can lend the input, the preview replaces the run', async () => {
    node.plan = (ask) => planOf(ask, { verdict: ask.isExact ? 5 : 0 })
    for (const token of [tokens.weth, tokens.usdc]) allowTransfersOf(token)
    const answer = await quote()
    expect(answer.quote).toMatchObject({ canExecute: true, tx: { value: 0n } })
    expect(answer.quote.warnings.map(({ code }) => code)).toEqual(['dry_run_missing'])
    // A caller who requires the run gets no transaction without it.
    const exact = await quote({ isExact: true })
    expect(exact.quote).toMatchObject({ canExecute: false, tx: undefined })
  })

  test('behavior: a holder of nothing, such as an adapter, does not accuse the token', async () => {
    node.plan = (ask) => planOf(ask, { verdict: ask.isExact ? 5 : 0 })
    allowTransfersOf(tokens.usdc)
    expect(await codesOf(quote())).toEqual(['dry_run_missing'])
  })

  test.each([
    ['halts', { code: -32_603, message: 'EVM error OutOfGas' }],
    ['is refused by the node', { code: -32_602, message: 'gas limit exceeds the cap' }],
  ])('behavior: if a run %s, the quote is a preview', async (_, fault) => {
    node.plan = (ask) => (ask.isExact ? fault : planOf(ask))
    for (const token of [tokens.weth, tokens.usdc]) allowTransfersOf(token)
    expect(await codesOf(quote())).toEqual(['dry_run_missing'])
    await expect(quote({ isExact: true })).rejects.toThrow()
  })

  test('error: a run that halts because a token cannot be transferred', async () => {
    node.plan = (ask) =>
      ask.isExact ? { code: -32_603, message: 'EVM error OutOfGas' } : planOf(ask)
    allowTransfersOf(tokens.usdc)
    poolHoldsTokens()
    await expect(quote()).rejects.toMatchObject({
      code: 'no_route',
      details: [{ field: 'in', code: 'transfer_paused' }],
    })
  })
})
