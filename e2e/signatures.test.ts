import type { QuoteResponse, SignedResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { type Address, erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { type Wallet, walletOn } from './lib/walletOn.js'

const amountIn = parseEther('4000')

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ chainIds: [8453] }, (running) => {
  ;({ devnet, server } = running)
})

const tokens = () => devnet.chains[0]!.tokens

function walletOf(account: PrivateKeyAccount): Wallet {
  return walletOn(devnet.chains[0]!, account)
}

/** Creates an account that holds the input token and native coin for gas. */
async function newOwner() {
  const account = privateKeyToAccount(generatePrivateKey())
  const bank = walletOf(privateKeyToAccount(devnet.account.privateKey))
  const coin = await bank.sendTransaction({ to: account.address, value: parseEther('1') })
  await receiptOf(bank, coin)
  const paid = await bank.writeContract({
    address: tokens()['SLU']!.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [account.address, amountIn],
  })
  await receiptOf(bank, paid)
  return { account, wallet: walletOf(account) }
}

async function quoteOf(sender: Address, more: Record<string, string>): Promise<QuoteResponse> {
  const trade = { chain: 'base', in: 'SLU', amountIn: `${amountIn}`, version: '2', sender, ...more }
  const answer = await fetch(`${server.url}/api/quote?${new URLSearchParams(trade)}`)
  const body = await answer.json()
  if (answer.status !== 200) throw new Error(JSON.stringify(body))
  return body as QuoteResponse
}

async function completeWith(quote: QuoteResponse, signature: Hex): Promise<SignedResponse> {
  const answer = await fetch(`${server.url}/api/quote/signed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quote, signature }),
  })
  const body = await answer.json()
  if (answer.status !== 200) throw new Error(JSON.stringify(body))
  return body as SignedResponse
}

async function submit(wallet: Wallet, tx: SignedResponse['tx']) {
  const { data, to } = tx as { data: Hex; to: Address }
  const sent = { to, data, value: BigInt(tx.value), gas: BigInt(tx.gas!) }
  return await receiptOf(wallet, await wallet.sendTransaction(sent))
}

function balanceOf(wallet: Wallet, symbol: string, holder: Address): Promise<bigint> {
  const { address } = tokens()[symbol]!
  return wallet.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}

test("default: with signature=permit, the token's permit replaces the approval", async () => {
  const { account, wallet } = await newOwner()
  const quote = await quoteOf(account.address, { out: 'USDC', signature: 'permit' })
  expect(quote.permit).toMatchObject({ kind: 'permit', owner: account.address })
  const signature = await account.signTypedData(quote.permit!.typedData as never)
  const { owner, tx } = await completeWith(quote, signature)
  expect(owner).toBe(account.address)
  const { status } = await submit(wallet, tx)
  expect(status).toBe('success')
  expect(await balanceOf(wallet, 'USDC', account.address)).toBe(BigInt(quote.amountOut))
  expect(await balanceOf(wallet, 'SLU', account.address)).toBe(0n)
  const left = { abi: erc20Abi, functionName: 'allowance', args: [account.address, tx.to] } as const
  const { address } = tokens()['SLU']!
  expect(await wallet.readContract({ address, ...(left as object) } as never)).toBe(0n)
})

test('behavior: with signature=permit, the recipient may be another account', async () => {
  const { account, wallet } = await newOwner()
  const { address: recipient } = privateKeyToAccount(generatePrivateKey())
  const quote = await quoteOf(account.address, { out: 'WETH', signature: 'permit', recipient })
  const signature = await account.signTypedData(quote.permit!.typedData as never)
  const { tx } = await completeWith(quote, signature)
  const { status } = await submit(wallet, tx)
  expect(status).toBe('success')
  expect(await balanceOf(wallet, 'WETH', recipient)).toBe(BigInt(quote.amountOut))
  expect(await balanceOf(wallet, 'SLU', account.address)).toBe(0n)
})

test('behavior: with signature=permit2, the listed calls come first, and anyone may send the swap', async () => {
  const { account, wallet } = await newOwner()
  const trade = { out: 'USDC', signature: 'permit2' }
  const before = await quoteOf(account.address, trade)
  expect(before.calls!.map(({ purpose }) => purpose)).toEqual(['approve'])
  for (const { data, gas, to, value } of before.calls!) {
    const call = { to, data, value: BigInt(value), gas: BigInt(gas) } as { to: Address; data: Hex }
    expect((await receiptOf(wallet, await wallet.sendTransaction(call))).status).toBe('success')
  }
  const quote = await quoteOf(account.address, trade)
  expect([quote.calls, quote.issues]).toEqual([[], {}])
  const signature = await account.signTypedData(quote.permit!.typedData as never)
  const { tx } = await completeWith(quote, signature)
  const relayer = walletOf(privateKeyToAccount(devnet.account.privateKey))
  const { status } = await submit(relayer, tx)
  expect(status).toBe('success')
  expect(await balanceOf(wallet, 'USDC', account.address)).toBe(BigInt(quote.amountOut))
  expect(await balanceOf(wallet, 'SLU', account.address)).toBe(0n)
})
