import type { QuoteResponse, SignedResponse } from '@sluice/api'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import {
  type Address,
  createTestClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashTypedData,
  http,
  numberToHex,
  type PrivateKeyAccount,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { viemChainOf, walletOn } from './lib/walletOn.js'

const amountIn = parseEther('400')
const chainIds = [8453, 1, 10, 42161]

/**
 * An account without a key: `isValidSignature` (EIP-1271) accepts the one hash in slot 0, whatever the signature is, as
 * accounts do that approve messages on chain. Returns the magic value if the hash equals the slot, otherwise zero.
 */
const contractAccount: Hex = '0x6004355f5414631626ba7e60e01b025f5260205ff3'

/** Of Multicall3. */
const batchAbi = parseAbi([
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[]) payable',
])

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ sluChainIds: chainIds }, (running) => {
  ;({ devnet, server } = running)
})

type Call = { readonly to: string; readonly data: string; readonly value: string }

/** Accounts of every kind on one chain, with plain viem. */
function openChain(chainId: number) {
  const chain = (): DevnetChain => devnet.chains.find((each) => each.chainId === chainId)!
  /** Every node of the devnet understands the methods of Hardhat. */
  const node = () =>
    createTestClient({ mode: 'hardhat', chain: viemChainOf(chain()), transport: http() })
      .extend(publicActions)
      .extend(walletActions)
  const walletOf = (account: PrivateKeyAccount) => walletOn(chain(), account)
  const bank = () => walletOf(privateKeyToAccount(devnet.account.privateKey))
  const token = (symbol: string) => chain().tokens[symbol]!.address
  const balanceOf = (symbol: string, holder: Address) => {
    const call = { abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const
    return node().readContract({ address: token(symbol), ...call })
  }

  /** Gives an account a token and native coin for gas. */
  async function fund(to: Address, symbol: string, amount = amountIn): Promise<void> {
    await receiptOf(bank(), await bank().sendTransaction({ to, value: parseEther('1') }))
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [to, amount] } as const
    await receiptOf(
      bank(),
      await bank().writeContract({ address: token(symbol), ...transfer } as never),
    )
  }

  async function newOwner(symbol: string, amount = amountIn): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey())
    await fund(account.address, symbol, amount)
    return account
  }

  /** An account with code and without a key, which holds the input token. */
  async function newContractAccount(symbol: string): Promise<Address> {
    const { address } = await newOwner(symbol)
    await node().setCode({ address, bytecode: contractAccount })
    return address
  }

  async function quoteOf(sender: Address, more: Record<string, string>): Promise<QuoteResponse> {
    const trade = { chain: `${chainId}`, out: 'USDC', amountIn: `${amountIn}`, sender, ...more }
    return await ask(`/api/quote?${new URLSearchParams(trade)}`)
  }

  /** Sends calls one after the other as an account that the node holds no key of. */
  async function sendAs(account: Address, calls: readonly Call[]): Promise<void> {
    await node().impersonateAccount({ address: account })
    for (const { data, to, value } of calls) {
      const call = { to: to as Address, data: data as Hex, value: BigInt(value) }
      const hash = await node().sendTransaction({ account, gas: 5_000_000n, ...call })
      expect((await receiptOf(node(), hash)).status).toBe('success')
    }
    await node().stopImpersonatingAccount({ address: account })
  }

  /** Signs with the owner's key and sends one transaction for each call. */
  async function sendEach(account: PrivateKeyAccount, calls: QuoteResponse['calls']) {
    for (const { data, gas, to, value } of calls!) {
      const call = { to: to as Address, data: data as Hex, value: BigInt(value), gas: BigInt(gas) }
      const hash = await walletOf(account).sendTransaction(call)
      expect((await receiptOf(node(), hash)).status).toBe('success')
    }
  }

  /** Lets an account with a key run the code of Multicall3 (EIP-7702). */
  async function delegate(account: PrivateKeyAccount): Promise<void> {
    const to = numberToHex(0x7702, { size: 20 })
    const contracts = new URL('../node_modules/viem/_esm/constants/contracts.js', import.meta.url)
    const { multicall3Bytecode } = await import(contracts.href)
    const creation = await bank().call({ data: multicall3Bytecode })
    await node().setCode({ address: to, bytecode: creation.data! })
    const wallet = walletOf(account)
    const authorization = await wallet.signAuthorization({ contractAddress: to, executor: 'self' })
    const delegating = { to: account.address, authorizationList: [authorization], gas: 200_000n }
    await receiptOf(wallet, await wallet.sendTransaction(delegating))
    expect(await wallet.getCode({ address: account.address })).toBe(`0xef0100${to.slice(2)}`)
  }

  /** Runs calls in one transaction of an account with the code of Multicall3. */
  async function sendBatch(account: PrivateKeyAccount, calls: readonly Call[]): Promise<Hex> {
    const data = encodeFunctionData({
      abi: batchAbi,
      functionName: 'aggregate3Value',
      args: [
        calls.map((call) => ({
          target: call.to as Address,
          allowFailure: false,
          value: BigInt(call.value),
          callData: call.data as Hex,
        })),
      ],
    })
    const wallet = walletOf(account)
    const value = calls.reduce((sum, call) => sum + BigInt(call.value), 0n)
    const hash = await wallet.sendTransaction({ to: account.address, data, value, gas: 6_000_000n })
    expect((await receiptOf(wallet, hash)).status).toBe('success')
    return hash
  }

  const opened = { chain, node, walletOf, bank, token, balanceOf, newOwner, newContractAccount }
  return { ...opened, quoteOf, sendAs, sendEach, delegate, sendBatch }
}

async function ask<answer>(path: string, init?: RequestInit): Promise<answer> {
  const response = await fetch(server.url + path, init)
  const body = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return body as answer
}

async function signed(quote: QuoteResponse, signature: Hex): Promise<SignedResponse['tx']> {
  const { tx } = await ask<SignedResponse>('/api/quote/signed', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quote, signature }),
  })
  return tx
}

const purposes = ({ calls }: QuoteResponse) => calls!.map(({ purpose }) => purpose)

describe.each(chainIds)('on chain %i', (chainId) => {
  const at = openChain(chainId)

  /** The account has sold everything, and got what was quoted. */
  async function expectSwapped(account: Address, quote: QuoteResponse, symbol = 'DAI') {
    expect(await at.balanceOf('USDC', account)).toBe(BigInt(quote.amountOut))
    expect(await at.balanceOf(symbol, account)).toBe(0n)
  }

  test('default: a key pair approves and swaps', async () => {
    const account = await at.newOwner('DAI')
    const quote = await at.quoteOf(account.address, { in: 'DAI' })
    expect(purposes(quote)).toEqual(['approve', 'swap'])
    await at.sendEach(account, quote.calls)
    await expectSwapped(account.address, quote)
  })

  test('default: with an allowance, a key pair swaps in one transaction', async () => {
    const account = await at.newOwner('DAI')
    const first = await at.quoteOf(account.address, { in: 'DAI' })
    await at.sendEach(account, first.calls!.slice(0, 1))
    const quote = await at.quoteOf(account.address, { in: 'DAI' })
    expect(purposes(quote)).toEqual(['swap'])
    await at.sendEach(account, quote.calls)
    await expectSwapped(account.address, quote)
  })

  test('default: a contract account approves and swaps with the calls of a quote', async () => {
    const account = await at.newContractAccount('DAI')
    const quote = await at.quoteOf(account, { in: 'DAI' })
    expect(purposes(quote)).toEqual(['approve', 'swap'])
    await at.sendAs(account, quote.calls!)
    await expectSwapped(account, quote)
  })

  test('default: an EIP-7702 account approves and swaps in one transaction', async () => {
    const account = await at.newOwner('DAI')
    await at.delegate(account)
    const quote = await at.quoteOf(account.address, { in: 'DAI' })
    expect(purposes(quote)).toEqual(['approve', 'swap'])
    await at.sendBatch(account, quote.calls!)
    await expectSwapped(account.address, quote)
  })

  test('default: a wallet takes the calls as they are, as one batch (EIP-5792)', async () => {
    const account = await at.newOwner('DAI')
    await at.delegate(account)
    const wallet = createWalletClient({
      account: account.address,
      chain: at.walletOf(account).chain,
      transport: custom(scriptedWallet(account, at.sendBatch)),
    })
    const can = await wallet.getCapabilities({ chainId })
    expect(can).toEqual({ atomic: { status: 'supported' } })
    const quote = await at.quoteOf(account.address, { in: 'DAI' })
    const { id } = await wallet.sendCalls({
      calls: quote.calls!.map(({ data, to, value }) => ({
        to: to as Address,
        data: data as Hex,
        value: BigInt(value),
      })),
      forceAtomic: true,
    })
    const { status } = await wallet.getCallsStatus({ id })
    expect(status).toBe('success')
    await expectSwapped(account.address, quote)
  })

  test('default: a token that must be approved to zero first, as USDT on Ethereum', async () => {
    const [symbol, amount] = ['FERN', parseEther('50')] as const
    await demandReset(at, symbol)
    const account = await at.newOwner(symbol, amount)
    const trade = { in: at.token(symbol), amountIn: `${amount}` }
    const fresh = await at.quoteOf(account.address, trade)
    expect(purposes(fresh)).toEqual(['approve', 'swap'])
    const approve = { abi: erc20Abi, functionName: 'approve' } as const
    const spender = fresh.approval!.spender as Address
    const address = at.token(symbol)
    const wallet = at.walletOf(account)
    const less = { ...approve, address, args: [spender, 1n] } as const
    await receiptOf(wallet, await wallet.writeContract(less))
    await expect(
      wallet.simulateContract({ ...approve, address, args: [spender, 2n] }),
    ).rejects.toThrow()
    const quote = await at.quoteOf(account.address, trade)
    expect(purposes(quote)).toEqual(['reset_allowance', 'approve', 'swap'])
    await at.sendEach(account, quote.calls)
    await expectSwapped(account.address, quote, symbol)
  })
})

describe.each(chainIds)('on chain %i with 2.0.0', (chainId) => {
  const at = openChain(chainId)
  const trade = { in: 'SLU', version: '2' }

  async function expectSwapped(account: Address, quote: QuoteResponse) {
    expect(await at.balanceOf('USDC', account)).toBe(BigInt(quote.amountOut))
    expect(await at.balanceOf('SLU', account)).toBe(0n)
  }

  test('default: a key pair signs a permit of the token, and swaps in one transaction', async () => {
    const account = await at.newOwner('SLU')
    const quote = await at.quoteOf(account.address, { ...trade, signature: 'permit' })
    expect([quote.permit!.kind, quote.calls]).toEqual(['permit', []])
    const tx = await signed(quote, await account.signTypedData(quote.permit!.typedData as never))
    await at.sendEach(account, [{ ...tx, gas: tx.gas!, purpose: 'swap' }])
    await expectSwapped(account.address, quote)
    expect(await at.node().getTransactionCount(account)).toBe(1)
  })

  test('default: a key pair that has approved Permit2 signs once, and another account swaps', async () => {
    const account = await at.newOwner('SLU')
    const asked = { ...trade, signature: 'permit2' }
    const first = await at.quoteOf(account.address, asked)
    expect(purposes(first)).toEqual(['approve'])
    await at.sendEach(account, first.calls)
    const quote = await at.quoteOf(account.address, asked)
    expect([quote.calls, quote.issues, quote.permit!.ownerHasCode]).toEqual([[], {}, undefined])
    const tx = await signed(quote, await account.signTypedData(quote.permit!.typedData as never))
    const swap = { to: tx.to as Address, data: tx.data as Hex, value: BigInt(tx.value) }
    const hash = await at.bank().sendTransaction({ ...swap, gas: BigInt(tx.gas!) })
    expect((await receiptOf(at.bank(), hash)).status).toBe('success')
    await expectSwapped(account.address, quote)
  })

  test('default: a contract account approves and swaps with the calls of a quote', async () => {
    const account = await at.newContractAccount('SLU')
    const quote = await at.quoteOf(account, trade)
    expect(purposes(quote)).toEqual(['approve', 'swap'])
    await at.sendAs(account, quote.calls!)
    await expectSwapped(account, quote)
  })

  test('default: a contract account that asks for a permit gets an approval, which is said', async () => {
    const account = await at.newContractAccount('SLU')
    const quote = await at.quoteOf(account, { ...trade, signature: 'permit' })
    expect([quote.permit, purposes(quote)]).toEqual([undefined, ['approve', 'swap']])
    expect(quote.warnings!.map(({ code }) => code)).toEqual(['permit_unavailable'])
    await at.sendAs(account, quote.calls!)
    await expectSwapped(account, quote)
  })

  test('behavior: a key pair with code (EIP-7702) still gives a permit', async () => {
    const account = await at.newOwner('SLU')
    await at.delegate(account)
    const quote = await at.quoteOf(account.address, { ...trade, signature: 'permit' })
    expect([quote.permit!.kind, quote.calls]).toEqual(['permit', []])
    const signature = await account.signTypedData(quote.permit!.typedData as never)
    const tx = await signed(quote, signature)
    await at.sendEach(account, [{ ...tx, gas: tx.gas!, purpose: 'swap' }])
    await expectSwapped(account.address, quote)
  })

  test.each([
    ['of no usual length', '0xacce97'],
    ['as long as one of a key', `0x${'5a'.repeat(65)}`],
  ] as const)(
    'default: a contract account pays with Permit2 by a signature %s, which its contract accepts',
    async (_, signature) => {
      const account = await at.newContractAccount('SLU')
      const asked = { ...trade, signature: 'permit2' }
      await at.sendAs(account, (await at.quoteOf(account, asked)).calls!)
      const quote = await at.quoteOf(account, asked)
      expect([quote.calls, quote.issues, quote.permit!.ownerHasCode]).toEqual([[], {}, true])
      const tx = await signed(quote, signature)
      const swap = { to: tx.to as Address, data: tx.data as Hex, value: BigInt(tx.value) }
      await expect(at.bank().estimateGas(swap)).rejects.toThrow()
      await at.node().setStorageAt({
        address: account,
        index: 0,
        value: hashTypedData(quote.permit!.typedData as never),
      })
      const hash = await at.bank().sendTransaction({ ...swap, gas: BigInt(tx.gas!) })
      expect((await receiptOf(at.bank(), hash)).status).toBe('success')
      await expectSwapped(account, quote)
    },
  )

  test('default: an EIP-7702 account approves and swaps in one transaction', async () => {
    const account = await at.newOwner('SLU')
    await at.delegate(account)
    const quote = await at.quoteOf(account.address, trade)
    await at.sendBatch(account, quote.calls!)
    await expectSwapped(account.address, quote)
  })
})

type Opened = ReturnType<typeof openChain>

/** A wallet that takes batches: it sends all calls in one transaction of its account, which has the code for it. */
function scriptedWallet(account: PrivateKeyAccount, sendBatch: Opened['sendBatch']) {
  const sent = new Map<string, { chainId: Hex; hash: Hex }>()
  return {
    async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
      const [given] = (params ?? []) as [Record<string, unknown> | string]
      if (method === 'wallet_getCapabilities') {
        const [, chainIds] = params as [string, Hex[] | undefined]
        const supported = { atomic: { status: 'supported' } }
        const all = chainIds ?? devnet.chains.map(({ chainId }) => numberToHex(chainId))
        return Object.fromEntries(all.map((chainId) => [chainId, supported]))
      }
      if (method === 'wallet_sendCalls') {
        const { atomicRequired, calls, chainId, from } = given as {
          atomicRequired: boolean
          calls: Call[]
          chainId: Hex
          from: string
        }
        expect([atomicRequired, from]).toEqual([true, account.address])
        const whole = calls.map(({ data, to, value = '0x0' }) => ({ data, to, value }))
        const id = numberToHex(sent.size + 1, { size: 32 })
        sent.set(id, { chainId, hash: await sendBatch(account, whole) })
        return { id }
      }
      if (method !== 'wallet_getCallsStatus') throw new Error(`The wallet has no ${method}.`)
      const { chainId } = sent.get(given as string)!
      return { version: '2.0.0', id: given, chainId, status: 200, atomic: true, receipts: [] }
    },
  }
}

/**
 * Puts code in front of a token's own: it refuses to change an allowance that is not zero to another one that is not zero,
 * and leaves everything else to the token.
 */
async function demandReset(at: Opened, symbol: string): Promise<void> {
  const address = at.token(symbol)
  const moved = numberToHex(0x70c3, { size: 20 })
  const code = (await at.node().getCode({ address }))!
  await at.node().setCode({ address: moved, bytecode: code })
  const to = `73${moved.slice(2)}5af4`
  const parts = [
    // Copies the calldata; goes on at 0x3c if the selector is that of `approve`.
    '365f5f375f3560e01c63095ea7b314603c57',
    // 0x12: delegates to the token's code, and returns or reverts with what it returns.
    `5b5f5f365f${to}3d5f5f3e6038573d5ffd5b3d5ff3`,
    // 0x3c: back to 0x12 if the new allowance is zero.
    '5b60243515601257',
    // Reads the allowance; back to 0x12 if it is zero. Reverts otherwise.
    `63dd62ed3e60e01b6080523360845260043560a452602060e060446080${to}5060e051156012575f5ffd`,
  ]
  await at.node().setCode({ address, bytecode: `0x${parts.join('')}` })
}
