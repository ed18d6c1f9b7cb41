import type { Devnet } from '@sluice/devnet'
import {
  createClient,
  decodeQuote,
  getAbi,
  getDeployments,
  getDiscovery,
  getHealth,
  getManifest,
  getQuote,
  InvalidParameterError,
  NoRouteError,
  type PreparedQuote,
  prepareQuote,
  RpcRequiredError,
  RpcUnreachableError,
  streamQuote,
} from '@sluice/sdk'
import { withUndeployed } from '@sluice/sdk/undeployed'
import { prepare, readRegistry, verifyTransaction } from '@sluice/sdk/verify'
import { approve, quote as quoteOnNode, SwapRevertedError, send, simulate } from '@sluice/sdk/viem'
import { startServer } from '@sluice/server'
import { createWalletClient, erc20Abi, http, maxUint256, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base, mainnet } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { patience, startDevnet } from './lib/startDevnet.js'
import { unnamed } from './lib/unnamed.js'

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>
let retired: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453, 1] })
  const config = {
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...patience,
  } as const
  server = await startServer(config)
  retired = await startServer({ ...config, quoteRelay: 'off' })
})

afterAll(async () => {
  await server?.stop()
  await retired?.stop()
  await devnet?.stop()
})

const client = () => createClient({ baseUrl: server.url })
const registry = () => readRegistry(devnet.deployments)
const recipient = '0x00000000000000000000000000000000000A11cE'
const request = {
  chain: 'base',
  in: 'WETH',
  out: 'USDC',
  amountIn: 3n * 10n ** 18n,
  recipient,
  slippageBps: 30,
  // A prepared call ignores gas, because no node is asked for the gas price.
  gasPrice: 0n,
} as const
const fresh = () => ({ registry: registry(), maxBlockAgeSec: Number.POSITIVE_INFINITY })

function walletOn(chainId: 8453 | 1, nodeUrl?: string) {
  const { rpcUrl } = devnet.chains.find((chain) => chain.chainId === chainId)!
  return createWalletClient({
    account: privateKeyToAccount(devnet.account.privateKey),
    chain: chainId === 1 ? mainnet : base,
    transport: http(nodeUrl ?? rpcUrl, { retryCount: 0 }),
    pollingInterval: 20,
  }).extend(publicActions)
}

/** Returns the error that a promise rejects with. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('documents', () => {
  test('default: reads each document; the manifest has the same addresses as the deployments file', async () => {
    expect((await getHealth(client())).ok).toBe(true)
    expect((await getDiscovery(client())).endpoints['prepare']?.path).toBe('/api/quote/prepare')
    const { abi } = await getAbi(client(), { contract: 'router' })
    expect(abi).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'swapExactIn' })]))
    const { contracts } = await getAbi(client())
    expect(contracts.map(({ contract }) => contract)).toContain('errors')
    const { active } = await getDeployments(client(), { chain: 'base' })
    const pinned = registry().get(8453)!.contracts
    expect(active['8453']!.contracts.router).toBe(pinned.router)
    const read = readRegistry(await getManifest(client()))
    expect(registry().get(8453)).toMatchObject(read.get(8453)!)
  })
})

describe('quotes', () => {
  test("default: the service, its prepared call and the caller's own node agree in every field", async () => {
    const live = await getQuote(client(), request)
    const prepared = await prepareQuote(client(), request)
    const result = await ask(prepared)
    const decoded = await decodeQuote(client(), { request: prepared.request, result })
    const own = await quoteOnNode(walletOn(8453), request, fresh())
    const { meta: _, tx: liveTx, ...rest } = live
    expect(decoded).toMatchObject(rest)
    // Only the service names the tokens: it knows their texts.
    const { route, tokens: __, tx: decodedTx, ...shared } = decoded
    expect(own).toMatchObject({ ...shared, route: unnamed(route!) })
    for (const tx of [liveTx, decodedTx, own.tx])
      expect(verifyTransaction(tx!, { request, quote: live, registry: registry() })).toMatchObject({
        recipient,
        minOut: live.quote!.effectiveMinOut,
      })
  })

  test('default: prepares the same call without the service', async () => {
    const there = await prepareQuote(client(), request)
    const here = prepare(request, { registry: registry(), now: there.request.preparedAt })
    expect(here).toMatchObject({ call: there.call, request: there.request })
  })

  test("behavior: a service without nodes returns the call for the caller's own node", async () => {
    const error = await errorOf(getQuote(createClient({ baseUrl: retired.url }), request))
    expect(error).toBeInstanceOf(RpcRequiredError)
    const prepared = (error as RpcRequiredError).prepared as PreparedQuote
    const decoded = await decodeQuote(client(), {
      request: prepared.request,
      result: await ask(prepared),
    })
    expect(decoded.amountOut).toBe((await getQuote(client(), request)).amountOut)
  })

  test('behavior: if nothing is deployed, the call includes the contracts', async () => {
    const options = { ...fresh(), registry: withUndeployed(new Map(), [8453]) }
    const own = await quoteOnNode(walletOn(8453), request, options)
    expect(own.amountOut).toBe((await getQuote(client(), request)).amountOut)
    expect(own).toMatchObject({ txReason: expect.stringContaining('not deployed') })
    expect(own).not.toHaveProperty('tx')
    const pinned = registry()
    expect(withUndeployed(pinned).get(8453)).toBe(pinned.get(8453))
  })

  test("error: has the same type from the service and from the caller's own node", async () => {
    const tiny = { ...request, amountIn: 1n }
    expect(await errorOf(getQuote(client(), tiny))).toBeInstanceOf(NoRouteError)
    expect(await errorOf(quoteOnNode(walletOn(8453), tiny, fresh()))).toBeInstanceOf(NoRouteError)
    const wrong = { ...request, out: 'WETH' }
    expect(await errorOf(getQuote(client(), wrong))).toMatchObject({ field: 'out' })
    const own = await errorOf(quoteOnNode(walletOn(8453), wrong, fresh()))
    expect(own).toBeInstanceOf(InvalidParameterError)
    expect(own).toMatchObject({ field: 'out', code: 'bad_pair' })
  })

  test('error: a node that does not respond, and one of another chain', async () => {
    const gone = walletOn(8453, 'http://127.0.0.1:1')
    expect(await errorOf(quoteOnNode(gone, request, fresh()))).toBeInstanceOf(RpcUnreachableError)
    expect(await errorOf(quoteOnNode(walletOn(1), request, fresh()))).toMatchObject({
      name: 'IntegrityError',
      check: 'chainId',
    })
  })
})

describe('transactions', () => {
  const account = () => devnet.account.address

  test('default: approves exactly, simulates and sends, and the recipient gets the quoted amount', async () => {
    const wallet = walletOn(8453)
    const own = await quoteOnNode(wallet, request, fresh())
    const options = { quote: own, request, registry: registry() }
    const reverted = await errorOf(simulate(wallet, { ...options, account: account() }))
    expect(reverted).toBeInstanceOf(SwapRevertedError)

    const { router } = registry().get(8453)!.contracts
    await receiptOf(wallet, await approve(wallet, options))
    const allowance = { address: own.tokenIn, abi: erc20Abi, functionName: 'allowance' } as const
    expect(await wallet.readContract({ ...allowance, args: [account(), router] })).toBe(
      own.amountIn,
    )
    expect(await simulate(wallet, { ...options, account: account() })).toBe(own.amountOut)

    const paid = () =>
      wallet.readContract({
        address: own.tokenOut,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [recipient],
      })
    const before = await paid()
    await receiptOf(wallet, await send(wallet, options))
    expect((await paid()) - before).toBe(own.amountOut)
    expect(await wallet.readContract({ ...allowance, args: [account(), router] })).toBe(0n)
  })

  test('default: a stream sends a new quote after a trade has moved the pools', async () => {
    const wallet = walletOn(8453)
    const stream = streamQuote(client(), request)
    const first = (await stream.next()).value!
    const options = { quote: first, request, registry: registry() }
    await receiptOf(wallet, await approve(wallet, options))
    await receiptOf(wallet, await send(wallet, options))
    let last = first
    while (last.amountOut === first.amountOut) last = (await stream.next()).value!
    await stream.return()
    expect(last.amountOut).toBeLessThan(first.amountOut)
    expect(last.amountOut).toBe((await getQuote(client(), request)).amountOut)
  })

  test('error: approves no other spender, and sends no altered transaction', async () => {
    const wallet = walletOn(8453)
    const live = await getQuote(client(), request)
    const nonce = () => wallet.getTransactionCount({ address: account() })
    const before = await nonce()
    const options = { request, registry: registry() }
    const refused = async (changes: object) => {
      const quote = { ...live, ...changes }
      const error = await errorOf(approve(wallet, { quote, registry: registry() }))
      return (error as { check?: string } | undefined)?.check
    }
    const { approval, tx } = live
    expect(await refused({ approval: { ...approval, spender: recipient } })).toBe('spender')
    expect(await refused({ approval: { ...approval, amount: maxUint256 } })).toBe('amount')
    expect(await refused({ approval: { ...approval, token: live.tokenOut } })).toBe('token')
    expect(await refused({ chainId: 10 })).toBe('spender')
    expect(await refused({ chainId: 1 })).toBe('chainId')

    const data = tx!.data.replace(
      recipient.slice(2).toLowerCase(),
      account().slice(2).toLowerCase(),
    )
    const altered = { ...live, tx: { ...tx!, data: data as `0x${string}` } }
    expect(await errorOf(send(wallet, { quote: altered, ...options }))).toMatchObject({
      check: 'recipient',
    })
    expect(await errorOf(send(walletOn(1), { quote: live, ...options }))).toMatchObject({
      check: 'chainId',
    })
    const { tx: _, ...without } = live
    expect(await errorOf(send(wallet, { quote: without, ...options }))).toMatchObject({
      check: 'to',
    })
    expect(await nonce()).toBe(before)
  })
})

async function ask({ chainId, rpcRequest }: PreparedQuote): Promise<string> {
  const { rpcUrl } = devnet.chains.find((chain) => chain.chainId === chainId)!
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rpcRequest),
  })
  return ((await response.json()) as { result: string }).result
}
