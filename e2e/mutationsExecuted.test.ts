import { routerAbi } from '@sluice/abi'
import { createRpc } from '@sluice/deploy'
import type { Devnet } from '@sluice/devnet'
import {
  BaseError,
  DecodedQuote,
  Preparation,
  type Quote,
  Registry,
  type Transactions,
} from '@sluice/domain'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mutateHex, randomFrom } from './lib/mutate.js'
import { startDevnet } from './lib/startDevnet.js'

const chainId = 8453
const executed = 1_000
const perBatch = 100
const recipient = getAddress('0x00000000000000000000000000000000000a11ce')

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
})

afterAll(() => devnet?.stop())

test('property: a mutated result that passes all checks reverts, or delivers the requested minimum', async () => {
  const { rpcUrl } = devnet.chains[0]!
  const rpc = createRpc(rpcUrl)
  const registry = Registry.from(devnet.deployments, [chainId])
  const chain = registry.get(chainId)!
  const amountIn = 300n * 10n ** 18n
  const { request: prepared, rpcRequest } = Preparation.from(
    {
      chain,
      tokenIn: { address: chain.wrappedNative, isNative: false },
      tokenOut: { address: chain.usdc, isNative: false },
      amountIn,
      recipient,
      slippageBps: 50,
      deadlineSec: 3_600,
      isExact: false,
      gasPrice: 0n,
      connectors: [],
    },
    { preparedAt: Date.now() },
  )
  const decode = (result: string) =>
    DecodedQuote.from(registry, {
      prepared,
      result,
      now: prepared.preparedAt,
      maxBlockAgeSec: Number.POSITIVE_INFINITY,
    }).quote
  const honest = await rpc.request<Hex>('eth_call', [...rpcRequest.params])
  const asked = decode(honest)
  await approve(asked)

  const passed = collect(honest, decode)
  let delivered = 0
  for (let at = 0; at < passed.length; at += perBatch) {
    const outcomes = await call(passed.slice(at, at + perBatch))
    for (const amountOut of outcomes) {
      if (amountOut === undefined) continue
      expect(amountOut >= asked.effectiveMinOut, `${amountOut}`).toBe(true)
      ++delivered
    }
  }
  expect(passed).toHaveLength(executed)
  // Both happen: a changed witness does not affect the swap, a changed pool makes it revert.
  expect(delivered).toBeGreaterThan(0)
  expect(delivered).toBeLessThan(executed)

  async function approve({ approval }: Quote.Quote): Promise<void> {
    const { amount, spender, token } = approval!
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [spender, amount],
    })
    const transaction = { from: devnet.account.address, to: token, data }
    await rpc.request('eth_sendTransaction', [transaction])
  }

  /** Returns the amount that each transaction would deliver now; `undefined` if it reverts. */
  async function call(transactions: readonly Transactions.Transaction[]) {
    const body = transactions.map(({ data, to }, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [{ from: devnet.account.address, to, data }, 'latest'],
    }))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })
    const results = (await answer.json()) as { result?: Hex; error?: { message: string } }[]
    return results.map(({ error, result }) => {
      // Each node implementation has a different error code for a revert.
      if (result === undefined) expect(error?.message).toMatch(/revert/i)
      return result === undefined
        ? undefined
        : decodeFunctionResult({ abi: routerAbi, functionName: 'swapExactIn', data: result })
    })
  }
})

/** Returns the transactions of mutated results that passed all checks. */
function collect(honest: Hex, decode: (result: string) => Quote.Quote): Transactions.Transaction[] {
  const random = randomFrom(1_000)
  const passed: Transactions.Transaction[] = []
  while (passed.length < executed) {
    try {
      passed.push(decode(mutateHex(honest, random)).tx!)
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
    }
  }
  return passed
}
