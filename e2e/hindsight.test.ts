import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { trialAbi } from '@sluice/abi'
import {
  createRpc,
  type HindsightReport,
  parseChainConfig,
  type QuoteRecording,
  type Rpc,
  RpcError,
  replayQuote,
  runHindsight,
} from '@sluice/deploy'
import { type Devnet, type DevnetChain, startAnvil } from '@sluice/devnet'
import { PlanCall } from '@sluice/domain'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  hexToNumber,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Column, columnsOf } from '../bench/gas/columns.js'
import { ours } from '../bench/gas/compareRouters.js'
import type { Rival } from '../bench/gas/Rival.js'
import { swapRouter02, swapRouter02Code } from '../bench/gas/swapRouter02.js'
import { universalRouter, universalRouterCode } from '../bench/gas/universalRouter.js'
import { readWiring, type Wiring } from '../bench/gas/wiring.js'
import { inRepository } from '../bench/lib/repository.js'
import { benchOf, trial } from '../packages/deploy/src/check/Bench.js'
import { findUncovered } from '../packages/deploy/src/check/hindsight/findUncovered.js'
import { hindsightText } from '../packages/deploy/src/check/hindsight/hindsightText.js'
import { recordQuote } from '../packages/deploy/src/check/hindsight/recordQuote.js'
import { createAsk } from '../packages/deploy/src/check/TrialCalls.js'
import { onFreshNode } from './lib/onFreshNode.js'
import { nodeKind, startDevnet } from './lib/startDevnet.js'

const chainId = 8453
/** EDR does not tell what a call reads. */
const isSilent = nodeKind.startsWith('edr')
const amountIn = 10n ** 17n
const routerAbi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params) payable',
  'function multicall(uint256 deadline, bytes[] data) payable',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function refundETH() payable',
])
const itself: Address = '0x0000000000000000000000000000000000000002'

let devnet: Devnet
let chain: DevnetChain
let rpc: Rpc
let wiring: Wiring
let columns: Column[]
let sr02: Rival
let ur: Rival
let trader: Address

type Sent = { hash: Hex; block: number; receipt: Receipt; gasPrice: bigint }

type Receipt = {
  status: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  blockNumber: Hex
  contractAddress: Address | null
}

/** Sends transactions of the trader in one block, in order. */
async function send(...calls: { to?: Address; data: Hex; value?: bigint }[]): Promise<Sent[]> {
  await rpc.request('evm_setAutomine', [false])
  const first = hexToNumber(await rpc.request<Hex>('eth_getTransactionCount', [trader, 'latest']))
  const hashes: Hex[] = []
  for (const [index, { value = 0n, ...call }] of calls.entries()) {
    const nonce = numberToHex(first + index)
    const gas = numberToHex(call.to === undefined ? 10_000_000n : 3_000_000n)
    const transaction = { from: trader, ...call, value: numberToHex(value), gas, nonce }
    hashes.push(await rpc.request<Hex>('eth_sendTransaction', [transaction]))
  }
  await rpc.request('evm_mine')
  await rpc.request('evm_setAutomine', [true])
  const receipts = await rpc.batch<Receipt>(
    hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]),
  )
  return receipts.map((receipt, index) => {
    expect(receipt.status).toBe('0x1')
    const block = hexToNumber(receipt.blockNumber)
    return { hash: hashes[index]!, block, receipt, gasPrice: BigInt(receipt.effectiveGasPrice) }
  })
}

async function balanceOf(token: Address, block: number, account = trader): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  return BigInt(await rpc.request<Hex>('eth_call', [{ to: token, data }, numberToHex(block)]))
}

/** The plan of the deployed Quoter: another path to the same number. */
async function planAt(
  { tokenIn, tokenOut }: Pick<Column, 'tokenIn' | 'tokenOut'>,
  block: number,
  { gasPrice, sold = amountIn }: { gasPrice: bigint; sold?: bigint },
) {
  const { quoter } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  const question = { tokenIn, tokenOut, amountIn: sold, isExact: false, gasPrice, connectors: [] }
  const call = { to: quoter, data: PlanCall.encode(question), gas: numberToHex(2n ** 24n) }
  return PlanCall.decode(await rpc.request<Hex>('eth_call', [call, numberToHex(block)]))
}

async function lookBack(
  blocks: readonly Sent[],
  options: Partial<Parameters<typeof runHindsight>[1]> = {},
): Promise<HindsightReport> {
  const from = blocks[0]!.block
  const to = blocks.at(-1)!.block
  return await runHindsight(rpc, { config: chain.configFile, from, to, ...options })
}

function swapBy({ address, encode }: Rival, column: Column): { to: Address; data: Hex } {
  const { feeRecipient } = wiring
  const terms = { minOut: 1n, recipient: trader, feeRecipient, deadline: 2n ** 40n }
  return { to: address, data: encode(column, terms)! }
}

function columnOf(name: string): Column {
  return columns.find((column) => column.name === name)!
}

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId], keepsHistory: true })
  chain = devnet.chains[0]!
  rpc = createRpc(chain.rpcUrl)
  trader = devnet.account.address
  const { hub } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  wiring = await readWiring(rpc, chain, hub)
  columns = columnsOf(chain)
  const place = async (data: Hex) => getAddress((await send({ data }))[0]!.receipt.contractAddress!)
  ur = universalRouter(await place(universalRouterCode(wiring)))
  sr02 = swapRouter02(await place(swapRouter02Code(wiring)))
  for (const rival of [ur, sr02])
    for (const symbol of ['WETH', 'USDC'])
      await send(...rival.approvals(chain.tokens[symbol]!.address))
})

afterAll(async () => {
  await devnet?.stop()
})

describe('what others paid and Sluice would have paid, to the wei', () => {
  test.each([
    ['sr02', '1 V2'],
    ['sr02', '1 V3'],
    ['sr02', 'V3→V3'],
    ['sr02', 'V2 + V3'],
    ['ur', '2 V2 + 2 V3'],
    ['ur', '1 V4'],
  ] as const)('default: %s, %s', async (name, columnName) => {
    const column = columnOf(columnName)
    const sent = await send(swapBy(name === 'ur' ? ur : sr02, column))
    const [{ block, gasPrice, hash }] = sent as [Sent]
    const report = await lookBack(sent)
    const paid =
      (await balanceOf(column.tokenOut, block)) - (await balanceOf(column.tokenOut, block - 1))
    const [kept, before, after] = [
      (await balanceOf(column.tokenOut, block, wiring.feeRecipient)) -
        (await balanceOf(column.tokenOut, block - 1, wiring.feeRecipient)),
      await planAt(column, block - 1, { gasPrice }),
      await planAt(column, block, { gasPrice }),
    ]
    expect([report.found, report.skipped, report.swaps.length]).toEqual([1, [], 1])
    const [swap] = report.swaps
    const answerOf = ({ netOut, route, upperBound }: typeof before) => ({
      ...{ verdict: 'Executable', netOut, grossOut: route.grossOut, upperBound, legs: route.legs },
    })
    expect(swap).toMatchObject({
      ...{ transaction: hash, blockNumber: block, trader, tokenIn: column.tokenIn },
      ...{ amountIn, tokenOut: column.tokenOut, amountOut: paid, keptOut: kept },
      ...{ isMoved: false, isTaxed: false, uncovered: [] },
      ...{ before: answerOf(before), after: answerOf(after) },
      outcome: before.netOut > paid ? 'win' : 'loss',
    })
    expect(kept).toBeGreaterThan(0n)
  })

  test('behavior: native coin in, with the rest paid back', async () => {
    const { tokenIn, tokenOut } = columnOf('1 V3')
    const data = multicall([
      singleCall({ tokenIn, tokenOut, fee: 500, recipient: trader }),
      encodeFunctionData({ abi: routerAbi, functionName: 'refundETH' }),
    ])
    const sent = await send({ to: sr02.address, data, value: 3n * amountIn })
    const [{ block, gasPrice }] = sent as [Sent]
    const [swap] = (await lookBack(sent)).swaps
    const paid = (await balanceOf(tokenOut, block)) - (await balanceOf(tokenOut, block - 1))
    const before = await planAt({ tokenIn, tokenOut }, block - 1, { gasPrice })
    expect(swap).toMatchObject({ tokenIn, amountIn, amountOut: paid, keptOut: 0n })
    expect(swap!.before).toMatchObject({ netOut: before.netOut })
  })

  test('behavior: native coin out', async () => {
    const weth = chain.tokens['WETH']!.address
    const usdc = chain.tokens['USDC']!.address
    const unwrap = encodeFunctionData({
      abi: routerAbi,
      functionName: 'unwrapWETH9',
      args: [0n, trader],
    })
    const sold = 250_000_000n
    const swapped = singleCall({
      ...{ tokenIn: usdc, tokenOut: weth, fee: 500, recipient: itself, sold },
    })
    const sent = await send({ to: sr02.address, data: multicall([swapped, unwrap]) })
    const [{ block, gasPrice, receipt }] = sent as [Sent]
    const [swap] = (await lookBack(sent)).swaps
    const nativeOf = async (at: number) =>
      BigInt(await rpc.request<Hex>('eth_getBalance', [trader, numberToHex(at)]))
    const gasCost = BigInt(receipt.gasUsed) * gasPrice
    const paid = (await nativeOf(block)) - (await nativeOf(block - 1)) + gasCost
    const trade = { tokenIn: usdc, tokenOut: weth }
    const [before, after] = [
      await planAt(trade, block - 1, { gasPrice, sold }),
      await planAt(trade, block, { gasPrice, sold }),
    ]
    expect(swap).toMatchObject({ ...trade, amountIn: sold, amountOut: paid, keptOut: 0n })
    expect(swap).toMatchObject({
      ...{ before: { netOut: before.netOut }, after: { netOut: after.netOut } },
    })
  })
})

test('behavior: a token that taxes transfers is not compared', async () => {
  const [weth, levy] = ['WETH', 'LEVY'].map((symbol) => chain.tokens[symbol]!.address) as [
    Address,
    Address,
  ]
  const swapped = encodeFunctionData({
    abi: routerAbi,
    functionName: 'swapExactTokensForTokens',
    args: [amountIn, 0n, [weth, levy], trader],
  })
  const sent = await send({ to: sr02.address, data: multicall([swapped]) })
  const [{ block }] = sent as [Sent]
  const { swaps } = await lookBack(sent)
  const paid = (await balanceOf(levy, block)) - (await balanceOf(levy, block - 1))
  expect(swaps).toMatchObject([
    { tokenOut: levy, amountOut: paid, isTaxed: true, outcome: 'not_comparable' },
  ])
  const [{ before }] = swaps as [(typeof swaps)[number]]
  // What a comparison would take for a win.
  expect('failed' in before ? 0n : before.netOut).toBeGreaterThan(paid)
})

describe('which transactions', () => {
  test('behavior: swaps of Sluice itself are left out', async () => {
    const { router } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
    const own = ours('first', chain, router)
    const column = columnOf('1 V3')
    await send(...own.approvals(column.tokenIn))
    const terms = { minOut: 1n, recipient: trader, feeRecipient: wiring.feeRecipient }
    const data = own.encode(column, { ...terms, deadline: 2n ** 40n })!
    const sent = await send({ to: router, data })
    const { skipped, swaps } = await lookBack(sent)
    const { block, hash } = sent[0]!
    expect(skipped).toEqual([{ transaction: hash, blockNumber: block, reason: 'own' }])
    expect(swaps).toEqual([])
  })

  test('behavior: only those to the named routers, and no more than asked for', async () => {
    const column = columnOf('1 V3')
    const sent = [
      ...(await send(swapBy(sr02, column))),
      ...(await send(swapBy(ur, column))),
      ...(await send(swapBy(sr02, column))),
    ]
    const named = await lookBack(sent, { routers: [sr02.address] })
    expect(named.swaps.map(({ router }) => router)).toEqual([sr02.address, sr02.address])
    const one = await lookBack(sent, { most: 1 })
    expect([one.found, one.swaps.length]).toEqual([3, 1])
  })

  test('behavior: a swap after another of its block on the same pool is marked', async () => {
    const column = columnOf('1 V3')
    const sent = await send(swapBy(sr02, column), swapBy(sr02, column))
    const { swaps } = await lookBack(sent)
    expect(sent[0]!.block).toBe(sent[1]!.block)
    const marks = new Map(swaps.map(({ isMoved, transaction }) => [transaction, isMoved]))
    expect(sent.map(({ hash }) => marks.get(hash))).toEqual([false, true])
  })

  test('behavior: several transactions of a sender hide what native coin it got', async () => {
    const { tokenIn, tokenOut } = columnOf('1 V3')
    const data = multicall([singleCall({ tokenIn, tokenOut, fee: 500, recipient: trader })])
    const call = { to: sr02.address, data, value: amountIn }
    const { skipped } = await lookBack(await send(call, call))
    expect(skipped.map(({ reason }) => reason)).toEqual(['native_unclear', 'native_unclear'])
  })
})

describe('causes', () => {
  /** The config with one venue alone. */
  function withVenue(id: string): object {
    const file = chain.configFile as { venues: { id: string }[] }
    return { ...file, pools: [], venues: file.venues.filter((venue) => venue.id === id) }
  }

  /** A swap on Uniswap V3 whose router takes no fee. */
  async function sendWithoutFee(): Promise<Sent[]> {
    const { tokenIn, tokenOut } = columnOf('1 V3')
    const data = multicall([singleCall({ tokenIn, tokenOut, fee: 500, recipient: trader })])
    return await send({ to: sr02.address, data })
  }

  test('default: a loss to a pool that the config does not reach', async () => {
    const { swaps } = await lookBack(await sendWithoutFee(), { config: withVenue('uniswap-v2') })
    const [{ cause, outcome, sources, uncovered }] = swaps as [(typeof swaps)[number]]
    expect(uncovered).toEqual(sources)
    expect([outcome, cause]).toEqual(['loss', 'not_covered'])
  })

  test.each([
    ['1 V2', 'uniswap-v2'],
    ['1 V3', 'uniswap-v3'],
    ['1 V4', 'uniswap-v4'],
    ['V3→V3', 'uniswap-v3'],
  ])('default: the pools of %s are within reach of %s, and of no other', async (name, venue) => {
    const sent = await send(swapBy(ur, columnOf(name)))
    const [{ between, sources, tokenIn, tokenOut }] = (await lookBack(sent)).swaps as [
      HindsightReport['swaps'][number],
    ]
    const uncoveredBy = async (id: string) => {
      const config = parseChainConfig(withVenue(id))
      const ask = createAsk(rpc, numberToHex(sent[0]!.block - 1))
      const tokens = [tokenIn, tokenOut, ...between]
      return await findUncovered(ask, benchOf(config), { config, sources, tokens })
    }
    expect(sources).toHaveLength(columnOf(name).paths.flat().length)
    expect(await uncoveredBy(venue)).toEqual([])
    const other = venue === 'uniswap-v2' ? 'uniswap-v3' : 'uniswap-v2'
    expect(await uncoveredBy(other)).toEqual(sources)
  })

  test('behavior: the report names causes and the largest losses', async () => {
    const report = await lookBack(await sendWithoutFee(), { config: withVenue('uniswap-v2') })
    const { pool } = report.swaps[0]!.sources[0]!
    expect(hindsightText(report)).toContain(`not covered: ${pool}`)
    expect(hindsightText(report)).toMatch(/loss {5}not_covered {2}1 {6}-\d/)
  })
})

describe('recordings', () => {
  test('default: a quote is the same without the node', async () => {
    const { swaps } = await lookBack(await send(swapBy(ur, columnOf('V2 + V3'))))
    const [swap] = swaps as [(typeof swaps)[number]]
    const { configFile } = chain
    const recording = await recordQuote(rpc, { configFile, swap })
    if (isSilent) return expect(recording).toBeUndefined()
    const { amountIn: sold, amountOut, blockNumber, transaction } = swap
    expect(recording).toMatchObject({
      ...{ schema: 1, kind: 'quote', chainId, blockNumber: blockNumber - 1, transaction },
      ...{ amountIn: `${sold}`, amountOut: `${amountOut}` },
    })
    const read = JSON.parse(JSON.stringify(recording)) as QuoteRecording
    const quoted = await onFreshNode(read, async (fresh) => await replayQuote(fresh, read))
    expect(quoted).toEqual(swap.before)
  })
})

describe('the program', () => {
  test('default: prints a summary, and writes everything to a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-hindsight-'))
    const [config, json] = [join(folder, 'config.json'), join(folder, 'report.json')]
    writeFileSync(config, JSON.stringify(chain.configFile))
    const [{ block, hash }] = (await send(swapBy(sr02, columnOf('1 V3')))) as [Sent]
    const options = ['--conditions=development', '--import', 'tsx', 'packages/cli/src/main.ts']
    const flags = ['--rpc', chain.rpcUrl, '--config', config, '--json', json]
    const range = ['--hindsight', String(block), String(block), '--routers', sr02.address]
    const { stderr, stdout } = await promisify(execFile)(
      process.execPath,
      [...options, 'check', ...flags, ...range, '--most', '5'],
      { cwd: inRepository('.') },
    )
    expect(stdout).toContain('1 transaction found, 1 looked at, 1 swap of other routers')
    expect(stderr).toContain(`Reading blocks ${block} to ${block} of Base`)
    const report = JSON.parse(readFileSync(json, 'utf8')) as { swaps: object[] }
    const { feeRecipient: _, ...kept } = chain.configFile as Record<string, unknown>
    expect(report).toMatchObject({ schema: 1, kind: 'hindsight', configFile: kept, found: 1 })
    expect(report.swaps).toMatchObject([{ transaction: hash, amountIn: `${amountIn}` }])
    rmSync(folder, { recursive: true })
  })
})

test('behavior: a quote fails if the Hub or the Quoter reverts', async () => {
  const { args, override } = benchOf(parseChainConfig(chain.configFile))
  const [contracts, config] = args
  const token = chain.tokens['USDC']!.address
  const ask = async (hub: Address, question: Hex) => {
    const data = encodeFunctionData({
      abi: trialAbi,
      functionName: 'quote',
      args: [{ ...contracts, hub }, config, token, question],
    })
    return await rpc
      .request<Hex>('eth_call', [{ to: trial, data }, 'latest', override])
      .then((answer) =>
        decodeFunctionResult({ abi: trialAbi, functionName: 'quote', data: answer }),
      )
      .catch((error: unknown) => (error instanceof RpcError ? 'reverted' : error))
  }
  const decimals = toFunctionSelector('decimals()')
  expect(await ask(contracts.hub, decimals)).toBe(numberToHex(6, { size: 32 }))
  expect(await ask(token, decimals)).toBe('reverted')
  expect(await ask(contracts.hub, '0x12345678')).toBe('reverted')
})

describe('a node that cannot answer', () => {
  test('error: it does not keep the state of the blocks', async () => {
    const node = await startAnvil({ chainId, port: 0 })
    try {
      await node.rpc.request('anvil_mine', ['0x300'])
      const options = { config: chain.configFile, from: 2, to: 3 }
      await expect(runHindsight(node.rpc, options)).rejects.toMatchObject({ code: 'NO_OLD_STATE' })
    } finally {
      await node.stop()
    }
  })

  test('error: the range ends after the latest block', async () => {
    const options = { config: chain.configFile, from: 1, to: 10_000_000 }
    await expect(runHindsight(rpc, options)).rejects.toThrow(
      /The range ends at block 10000000, but the node's latest block is \d+\. End at \d+ or before\./,
    )
  })
})

function multicall(data: readonly Hex[]): Hex {
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'multicall',
    args: [2n ** 40n, data],
  })
}

function singleCall({
  fee,
  recipient,
  sold = amountIn,
  tokenIn,
  tokenOut,
}: {
  tokenIn: Address
  tokenOut: Address
  fee: number
  recipient: Address
  sold?: bigint
}): Hex {
  const rest = { amountIn: sold, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'exactInputSingle',
    args: [{ tokenIn, tokenOut, fee, recipient, ...rest }],
  })
}
