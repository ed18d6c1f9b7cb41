import { routerAbi } from '@sluice/abi'
import { createClient, custom, encodeErrorResult, encodeFunctionData, numberToHex } from 'viem'
import { base } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { deployments } from '../../../domain/test/deployments.js'
import { quoteBody } from '../../test/service.js'
import { parseQuote } from '../amounts.js'
import { readRegistry } from '../verify/index.js'
import { SwapRevertedError, send } from './index.js'

const registry = readRegistry(deployments)
const recipient = '0x00000000000000000000000000000000000000AA'
const account = '0x00000000000000000000000000000000000000bb'
const now = 1_700_000_000
const request = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 10n ** 18n, recipient } as const
const plain = parseQuote(quoteBody)
const data = encodeFunctionData({
  abi: routerAbi,
  functionName: 'swapExactIn',
  args: [plain.route, plain.amountIn, plain.quote!.effectiveMinOut, recipient, BigInt(now + 60)],
})
const { router } = registry.get(8453)!.contracts
const quote = { ...plain, tx: { to: router, data, value: 0n } }
const hash = `0x${'11'.repeat(32)}`

/** A wallet whose node returns this gas estimate, and the transactions that it sent. */
function walletOf(estimate: () => unknown) {
  const sent: Record<string, unknown>[] = []
  const answers: Record<string, (params: never[]) => unknown> = {
    eth_chainId: () => numberToHex(8453),
    eth_estimateGas: estimate,
    eth_sendTransaction: (params) => {
      sent.push(params[0]!)
      return hash
    },
  }
  const transport = custom(
    { request: async ({ method, params }) => answers[method]!(params) },
    { retryCount: 0 },
  )
  return { client: createClient({ account, chain: base, transport }), sent }
}

const options = { quote, request, registry, now }

describe('send', () => {
  test('default: sends with a quarter more gas than the node estimates', async () => {
    const { client, sent } = walletOf(() => numberToHex(500_000))
    expect(await send(client, options)).toBe(hash)
    expect(sent).toMatchObject([{ from: account, to: router, data, gas: numberToHex(625_000) }])
  })

  test('behavior: leaves the gas limit to the wallet if the node returns no estimate', async () => {
    const { client, sent } = walletOf(() => {
      throw Object.assign(new Error('method not found'), { code: -32_601 })
    })
    expect(await send(client, options)).toBe(hash)
    expect(sent[0]).not.toHaveProperty('gas')
  })

  test('error: does not sign a swap that would revert', async () => {
    const revert = encodeErrorResult({ abi: routerAbi, errorName: 'BelowFloor', args: [2n, 1n] })
    const { client, sent } = walletOf(() => {
      throw Object.assign(new Error('execution reverted'), { code: 3, data: revert })
    })
    const error = await send(client, options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SwapRevertedError)
    expect(error).toMatchObject({ revert: { name: 'BelowFloor', args: [2n, 1n] } })
    expect(sent).toEqual([])
  })
})
