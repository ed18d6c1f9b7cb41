import type { QuoteResponse, SignedResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, type QuoteParameters } from '@sluice/sdk'
import { readRegistry, verifyCalls, verifyTransaction } from '@sluice/sdk/verify'
import { approve, quote as quoteOnNode, repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import { type Address, erc20Abi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { nodeKind } from './lib/startDevnet.js'
import { type Wallet, walletOn } from './lib/walletOn.js'

let devnet: Devnet
let server: RunningServer

serveBeforeAll({}, (running) => {
  ;({ devnet, server } = running)
})

const chainIds = [8453, 1, 10, 42161]
const registry = () => readRegistry(devnet.deployments)
const client = () => createClient({ baseUrl: server.url })
const chainOf = (chainId: number) => devnet.chains.find((chain) => chain.chainId === chainId)!

function walletOf(
  chainId: number,
  account = privateKeyToAccount(devnet.account.privateKey),
): Wallet {
  return walletOn(chainOf(chainId), account)
}

function balanceOf(wallet: Wallet, token: string, holder: Address): Promise<bigint> {
  const address = token as Address
  return wallet.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}

const fresh = () => privateKeyToAccount(generatePrivateKey()).address

/** More gas than any of these swaps takes: the node estimates for the current second, and a swap in the next one costs more. */
const gas = 5_000_000n

async function send(wallet: Wallet, tx: { to: string; data: string; value?: bigint }) {
  const { data, to, value = 0n } = tx
  const hash = await wallet.sendTransaction({ to: to as Address, data: data as Hex, value, gas })
  expect((await receiptOf(wallet, hash)).status).toBe('success')
}

/** The node runs a call with at most 2^24 gas, which some proofs exceed, and mostly the search for one base unit. */
const isCapped = nodeKind === 'edr-osaka'
const oneUnit: Case[] = isCapped ? [] : [['one base unit', 'WETH', 'USDC', 1n]]
type Case = [name: string, tokenIn: string, tokenOut: string, amountOut: bigint | undefined]

describe.each(chainIds)('on chain %i', (chainId) => {
  test.each<Case>([
    ['a small output', 'WETH', 'USDC', 1_000_000n],
    ['a large output', 'WETH', 'USDC', 900_000n * 10n ** 6n],
    ['the reverse pair', 'USDC', 'WETH', 3n * 10n ** 18n],
    ['three hops', 'KELP', 'TIDE', undefined],
    ...oneUnit,
  ])(
    'default, %s: delivers at least what was asked and takes no more than quoted',
    async (_, tokenIn, tokenOut, units) => {
      const wallet = walletOf(chainId)
      const [sold, bought] = [tokenIn, tokenOut].map((symbol) => chainOf(chainId).tokens[symbol]!)
      const recipient = fresh()
      // If no amount is given, 500 whole tokens.
      const amountOut = units ?? 500n * 10n ** BigInt(bought!.decimals)
      const request = {
        chain: chainId,
        in: sold!.address,
        out: bought!.address,
        amountOut,
        recipient,
        slippageBps: 0,
      } satisfies QuoteParameters
      const quote = await getQuote(client(), request)
      expect(quote.exactOutput).toMatchObject({ amountOut, amountInMax: quote.amountIn })
      // Of one base unit rounding is most, and nothing is proven. If gas cut the search off, which is said, it may not be either.
      const { lowerBound } = quote.exactOutput!
      expect(lowerBound ?? 0n).toBeLessThanOrEqual(quote.amountIn)
      const isCutOff = quote.quote!.truncated === true
      if (!isCutOff) expect(lowerBound === null).toBe(amountOut === 1n)
      expect(quote.quote!.effectiveMinOut).toBeGreaterThanOrEqual(amountOut)
      const verified = verifyTransaction(quote.tx!, { request, quote, registry: registry() })
      expect(verified).toMatchObject({ amountIn: quote.amountIn, recipient })

      await receiptOf(wallet, await approve(wallet, { quote, registry: registry() }))
      const before = await balanceOf(wallet, quote.tokenIn, wallet.account.address)
      await send(wallet, verified)
      const after = await balanceOf(wallet, quote.tokenIn, wallet.account.address)
      expect(before - after).toBe(quote.amountIn)
      const delivered = await balanceOf(wallet, quote.tokenOut, recipient)
      expect(delivered).toBe(quote.amountOut)
      expect(delivered).toBeGreaterThanOrEqual(amountOut)
    },
  )

  test('behavior: the tolerance pads the input, and what is over goes to the recipient', async () => {
    const wallet = walletOf(chainId)
    const recipient = fresh()
    const amountOut = 2_000_000_000n
    const request = { chain: chainId, in: 'WETH', out: 'USDC', amountOut, recipient } as const
    const quote = await getQuote(client(), request)
    const { amountInMax } = quote.exactOutput!
    // 50 basis points, rounded up.
    expect(amountInMax).toBe(quote.amountIn + (quote.amountIn * 50n + 9_999n) / 10_000n)
    expect(quote.approval!.amount).toBe(amountInMax)
    expect(quote.route.amountIn).toBe(amountInMax)
    expect(quote.quote!.effectiveMinOut).toBe(amountOut)
    const verified = verifyTransaction(quote.tx!, { request, quote, registry: registry() })
    expect(verified).toMatchObject({ amountIn: amountInMax, minOut: amountOut })
    await receiptOf(wallet, await approve(wallet, { quote, registry: registry() }))
    await send(wallet, verified)
    const delivered = await balanceOf(wallet, quote.tokenOut, recipient)
    expect(delivered).toBeGreaterThan(amountOut + (amountOut * 49n) / 10_000n)
  })

  test('behavior: an own node repeats the quote and computes it alone', async () => {
    const wallet = walletOf(chainId)
    const recipient = fresh()
    const amountOut = 7_000_000_000n
    const request = { chain: chainId, in: 'WETH', out: 'USDC', amountOut, recipient } as const
    const options = { registry: registry(), maxBlockAgeSec: Number.POSITIVE_INFINITY }
    const quote = await getQuote(client(), { ...request, gasPrice: 0n })
    expect((await repeatQuote(wallet, quote, options)).isSame).toBe(true)
    const own = await quoteOnNode(wallet, { ...request, gasPrice: 0n }, options)
    // An own node is asked with less gas, so it may search a little less. Neither plan beats the other's bound.
    expect(own.amountIn).toBeGreaterThanOrEqual(quote.exactOutput!.lowerBound!)
    expect(quote.amountIn).toBeGreaterThanOrEqual(own.exactOutput!.lowerBound!)
    expect(own.exactOutput!.gapBps).toBeLessThan(1)
  })

  test('behavior: what the sender lacks counts the padding', async () => {
    const sender = fresh()
    const out = chainOf(chainId).tokens['DAI']!.address
    const request = { chain: chainId, in: 'USDC', out, amountOut: 5n * 10n ** 18n } as const
    const quote = await getQuote(client(), { ...request, sender })
    const { amountInMax } = quote.exactOutput!
    expect(quote.issues).toMatchObject({
      allowance: { actual: 0n, expected: amountInMax },
      balance: { actual: 0n, expected: amountInMax },
    })
    // Who has the balance gets the calls, each of them for the padded input.
    const owner = devnet.account.address
    const asked = { ...request, sender: owner }
    const ready = await getQuote(client(), asked)
    const calls = verifyCalls({
      request: { ...asked, recipient: owner },
      quote: ready,
      registry: registry(),
    })
    expect(calls.at(-1)!.purpose).toBe('swap')
  })
})

describe('with the ways of payment of 2.0.0', () => {
  const amountOut = 1_500_000_000n

  test('behavior: native coin: the value is the padded input', async () => {
    const wallet = walletOf(8453)
    const recipient = fresh()
    const request = {
      chain: 8453,
      version: 2,
      in: 'ETH',
      out: 'USDC',
      amountOut,
      recipient,
    } as const
    const quote = await getQuote(client(), request)
    expect(quote.tx!.value).toBe(quote.exactOutput!.amountInMax)
    await send(wallet, verifyTransaction(quote.tx!, { request, quote, registry: registry() }))
    expect(await balanceOf(wallet, quote.tokenOut, recipient)).toBeGreaterThanOrEqual(amountOut)
  })

  test.each(['permit', 'permit2'] as const)(
    'behavior: %s signs the padded input',
    async (signature) => {
      const wallet = walletOf(8453)
      const { account } = wallet
      const token = chainOf(8453).tokens['SLU']!.address
      if (signature === 'permit2') {
        const args = ['0x000000000022D473030F116dDEE9F6B43aC78BA3', 2n ** 128n] as const
        const approval = { address: token, abi: erc20Abi, functionName: 'approve', args } as const
        await receiptOf(wallet, await wallet.writeContract(approval))
      }
      const query = {
        chain: '8453',
        version: '2',
        in: 'SLU',
        out: 'USDC',
        amountOut: `${amountOut}`,
      }
      const recipient = fresh()
      const search = new URLSearchParams({
        ...query,
        signature,
        sender: account.address,
        recipient,
      })
      const quote = (await (
        await fetch(`${server.url}/api/quote?${search}`)
      ).json()) as QuoteResponse
      const { message, primaryType } = quote.permit!.typedData
      const most = quote.exactOutput!.amountInMax
      const signed = primaryType === 'Permit' ? message : (message['permitted'] as typeof message)
      expect(signed[primaryType === 'Permit' ? 'value' : 'amount']).toBe(most)
      const answer = await fetch(`${server.url}/api/quote/signed`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          quote,
          signature: await account.signTypedData(quote.permit!.typedData as never),
        }),
      })
      const { tx } = (await answer.json()) as SignedResponse
      const before = await balanceOf(wallet, token, account.address)
      await send(wallet, { to: tx.to, data: tx.data })
      expect(before - (await balanceOf(wallet, token, account.address))).toBe(BigInt(most))
      expect(await balanceOf(wallet, quote.tokenOut, recipient)).toBeGreaterThanOrEqual(amountOut)
    },
  )
})

test('error: an output that no pools hold, a taxed one, and two amounts', async () => {
  const ask = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ chain: '8453', in: 'WETH', out: 'USDC', ...query })
    const answer = await fetch(`${server.url}/api/quote?${search}`)
    return [answer.status, await answer.json()] as const
  }
  expect(await ask({ amountOut: `${10n ** 30n}` })).toMatchObject([422, { code: 'no_route' }])
  expect(await ask({ amountOut: '5', amountIn: '5' })).toMatchObject([
    400,
    { code: 'bad_amount_out', details: [{ field: 'amountOut' }] },
  ])
  const { LEVY } = chainOf(8453).tokens
  const taxed = await ask({ out: LEVY!.address, amountOut: `${10n ** 18n}`, exact: '1' })
  expect(taxed).toMatchObject([200, { quote: { canExecute: false } }])
})

test('behavior: an own node finds the input for one base unit, or says that the gas was too little', async () => {
  const request = { chain: 'base', in: 'WETH', out: 'USDC' } as const
  const options = { registry: registry(), maxBlockAgeSec: Number.POSITIVE_INFINITY }
  const asked = quoteOnNode(walletOf(8453), { ...request, amountOut: 1n }, options)
  const found = await asked.catch((error: Error) => error.message)
  if (typeof found === 'string') {
    expect(isCapped).toBe(true)
    expect(found).toContain('`amountOut` was not found with the gas of the call')
    return
  }
  expect(found.amountOut).toBe(1n)
  // A whole token is a million units. Of one unit no fee is taken, and a rounding is most.
  const { amountIn } = await getQuote(client(), { ...request, amountOut: 1_000_000n })
  const share = Number(found.amountIn) / (Number(amountIn) / 1e6)
  expect(share).toBeGreaterThan(0.99)
  expect(share).toBeLessThan(1.01)
})
