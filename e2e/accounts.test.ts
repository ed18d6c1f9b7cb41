import type { QuoteResponse, SignedResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import {
  type Address,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashTypedData,
  http,
  multicall3Abi,
  numberToHex,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

const amountIn = parseEther('4000')

/**
 * An account without a key: `isValidSignature` (EIP-1271) accepts the one hash in slot 0, whatever the signature is, as
 * accounts do that approve messages on chain. Returns the magic value if the hash equals the slot, otherwise zero.
 */
const contractAccount: Hex = '0x6004355f5414631626ba7e60e01b025f5260205ff3'

let devnet: Devnet
let server: RunningServer
let node: ReturnType<typeof openNode>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await serveDevnet(devnet)
  node = openNode()
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

function chainOf() {
  const { chainId, name, rpcUrl } = devnet.chains[0]!
  return defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
}

/** Every node of the devnet understands the methods of Hardhat. */
function openNode() {
  return createTestClient({ mode: 'hardhat', chain: chainOf(), transport: http() })
    .extend(publicActions)
    .extend(walletActions)
}

const bank = () => privateKeyToAccount(devnet.account.privateKey)
const token = (symbol: string) => devnet.chains[0]!.tokens[symbol]!.address

function walletOf(account = bank()) {
  return createWalletClient({ account, chain: chainOf(), transport: http() }).extend(publicActions)
}

/** Gives an account the input token and native coin for gas. */
async function fund(to: Address): Promise<void> {
  const wallet = walletOf()
  await receiptOf(wallet, await wallet.sendTransaction({ to, value: parseEther('1') }))
  const transfer = { abi: erc20Abi, functionName: 'transfer', args: [to, amountIn] } as const
  await receiptOf(wallet, await wallet.writeContract({ address: token('SLU'), ...transfer }))
}

function balanceOf(symbol: string, holder: Address): Promise<bigint> {
  const call = { abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const
  return node.readContract({ address: token(symbol), ...call })
}

async function ask<answer>(path: string, init?: RequestInit): Promise<answer> {
  const response = await fetch(server.url + path, init)
  const body = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return body as answer
}

function quoteOf(sender: Address, more: Record<string, string>): Promise<QuoteResponse> {
  const trade = { chain: 'base', in: 'SLU', out: 'USDC', amountIn: `${amountIn}`, sender, ...more }
  return ask(`/api/quote?${new URLSearchParams(trade)}`)
}

type Call = { readonly to: string; readonly data: string; readonly value: string }

/** Sends calls one after the other as an account that the node holds no key of. */
async function sendAs(account: Address, calls: readonly Call[]): Promise<void> {
  await node.impersonateAccount({ address: account })
  for (const { data, to, value } of calls) {
    const call = { to: to as Address, data: data as Hex, value: BigInt(value) }
    const hash = await node.sendTransaction({ account, gas: 5_000_000n, ...call })
    expect((await receiptOf(node, hash)).status).toBe('success')
  }
  await node.stopImpersonatingAccount({ address: account })
}

/** An account with code and without a key, which holds the input token. */
async function newContractAccount(): Promise<Address> {
  const { address } = privateKeyToAccount(generatePrivateKey())
  await fund(address)
  await node.setCode({ address, bytecode: contractAccount })
  return address
}

test.each(['1', '2'])(
  'default: a contract account approves and swaps with the calls of a quote (version %s)',
  async (version) => {
    const account = await newContractAccount()
    const quote = await quoteOf(account, { version })
    expect(quote.calls!.map(({ purpose }) => purpose)).toEqual(['approve', 'swap'])
    await sendAs(account, quote.calls!)
    expect(await balanceOf('USDC', account)).toBe(BigInt(quote.amountOut))
    expect(await balanceOf('SLU', account)).toBe(0n)
  },
)

test('default: a contract account pays with Permit2 by the signature that its contract accepts', async () => {
  const account = await newContractAccount()
  const trade = { version: '2', signature: 'permit2' }
  await sendAs(account, (await quoteOf(account, trade)).calls!)
  const quote = await quoteOf(account, trade)
  expect([quote.calls, quote.issues]).toEqual([[], {}])
  const { tx } = await ask<SignedResponse>('/api/quote/signed', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // The length of no plain account's signature: only the contract can tell whether it is valid.
    body: JSON.stringify({ quote, signature: '0xacce97' }),
  })
  const wallet = walletOf()
  const swap = { to: tx.to as Address, data: tx.data as Hex, value: BigInt(tx.value) }
  await expect(wallet.estimateGas(swap)).rejects.toThrow()
  await node.setStorageAt({
    address: account,
    index: 0,
    value: hashTypedData(quote.permit!.typedData as never),
  })
  const hash = await wallet.sendTransaction({ ...swap, gas: BigInt(tx.gas!) })
  expect((await receiptOf(wallet, hash)).status).toBe('success')
  expect(await balanceOf('USDC', account)).toBe(BigInt(quote.amountOut))
  expect(await balanceOf('SLU', account)).toBe(0n)
})

test.each(['1', '2'])(
  'default: an EIP-7702 account approves and swaps in one transaction (version %s)',
  async (version) => {
    const account = privateKeyToAccount(generatePrivateKey())
    await fund(account.address)
    const delegate = numberToHex(0x7702, { size: 20 })
    const contracts = new URL('../node_modules/viem/_esm/constants/contracts.js', import.meta.url)
      .href
    const { multicall3Bytecode } = await import(contracts)
    const creation = await walletOf().call({ data: multicall3Bytecode })
    await node.setCode({ address: delegate, bytecode: creation.data! })
    const wallet = walletOf(account)
    const delegation = { contractAddress: delegate, executor: 'self' } as const
    const authorization = await wallet.signAuthorization(delegation)
    const delegating = { to: account.address, authorizationList: [authorization], gas: 200_000n }
    await receiptOf(wallet, await wallet.sendTransaction(delegating))
    expect(await wallet.getCode({ address: account.address })).toBe(`0xef0100${delegate.slice(2)}`)

    const quote = await quoteOf(account.address, { version })
    expect(quote.calls!.map(({ purpose }) => purpose)).toEqual(['approve', 'swap'])
    const calls = quote.calls!.map(({ data, to }) => ({
      target: to as Address,
      allowFailure: false,
      callData: data as Hex,
    }))
    const data = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [calls],
    })
    const batch = { to: account.address, data, gas: 6_000_000n }
    const { status } = await receiptOf(wallet, await wallet.sendTransaction(batch))
    expect(status).toBe('success')
    expect(await balanceOf('USDC', account.address)).toBe(BigInt(quote.amountOut))
    expect(await balanceOf('SLU', account.address)).toBe(0n)
  },
)
