import { type StatsResponse, statsResponse } from '@sluice/api'
import { run as runCli } from '@sluice/cli'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import { createClient, getStats } from '@sluice/sdk'
import { startServer } from '@sluice/server'
import {
  type Address,
  createTestClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  parseAbiItem,
  publicActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { patience, startDevnet } from './lib/startDevnet.js'

/** Mnemonic of the accounts of every development node, which hold native coin. */
const mnemonic = 'test test test test test test test test test test test junk'
const wethAbi = parseAbi(['function deposit() payable'])
const amountIn = 10n ** 16n
const swapEvent = parseAbiItem(
  'event Swap(address indexed user, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 legs)',
)

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453, 10] })
  server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...patience,
    swapIndex: { path: ':memory:' },
    swapIndexMs: 100,
    statsCacheMs: 50,
  })
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

function clientOf({ chainId, name, rpcUrl }: DevnetChain, addressIndex = 1) {
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const account = mnemonicToAccount(mnemonic, { addressIndex })
  const settings = { chain, account, transport: http(), pollingInterval: 20 }
  return createWalletClient(settings).extend(publicActions)
}

/** Wraps, quotes, approves and swaps, as one of the development accounts. */
async function swap(chain: DevnetChain, addressIndex: number): Promise<Hex> {
  const client = clientOf(chain, addressIndex)
  const weth = chain.tokens['WETH']!.address
  const query = { chain: `${chain.chainId}`, in: 'WETH', out: 'USDC', amountIn: `${amountIn}` }
  const parameters = new URLSearchParams({ ...query, recipient: client.account.address })
  const answer = await fetch(`${server.url}/api/quote?${parameters}`)
  const { tx } = (await answer.json()) as { tx: { to: Address; data: Hex } }
  const deposit = { address: weth, abi: wethAbi, functionName: 'deposit', value: amountIn } as const
  const args = [tx.to, amountIn] as const
  const approve = { address: weth, abi: erc20Abi, functionName: 'approve', args } as const
  for (const hash of [
    await client.writeContract(deposit),
    await client.writeContract(approve),
    await client.sendTransaction({ to: tx.to, data: tx.data, gas: 3_000_000n }),
  ]) {
    const { status } = await receiptOf(client, hash)
    expect(status).toBe('success')
  }
  return tx.to
}

/** Counts swaps with the filter of the response, using only viem. */
async function recount(chain: DevnetChain, { filter }: StatsResponse['chains'][number]) {
  const logs = await clientOf(chain).getLogs({
    address: filter!.address as Address[],
    event: swapEvent,
    strict: true,
    fromBlock: BigInt(filter!.fromBlock),
    toBlock: BigInt(filter!.toBlock),
  })
  const traders = new Set(logs.map(({ args }) => args.user))
  return { fills: logs.length, traders }
}

const stats = async () => await getStats(createClient({ baseUrl: server.url }))

/** Waits until the index has reached the latest block of every chain. */
async function settled(): Promise<StatsResponse> {
  await expect
    .poll(
      async () => {
        const { chains } = await stats()
        const heads = await Promise.all(
          devnet.chains.map((chain) => clientOf(chain).getBlock({ blockTag: 'latest' })),
        )
        const reached = chains.map(({ toBlockHash }) => toBlockHash)
        return heads.every(({ hash }) => reached.includes(hash))
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  return await stats()
}

/** Asserts that the figures of each chain equal its logs, and that a trader on several chains counts once. */
async function demandRecount(answer: StatsResponse): Promise<void> {
  const everybody = new Set<string>()
  for (const chain of devnet.chains) {
    const entry = answer.chains.find(({ chainId }) => chainId === chain.chainId)!
    const { fills, traders } = await recount(chain, entry)
    expect([entry.fills, entry.uniqueTraders]).toEqual([fills, traders.size])
    for (const trader of traders) everybody.add(trader)
  }
  expect(answer.totals).toEqual({
    fills: answer.chains.reduce((sum, { fills }) => sum + fills!, 0),
    uniqueTraders: everybody.size,
    chainsOk: 2,
    chainsTotal: 2,
    measured: true,
  })
}

test('default: counts swaps, and the filter of the response gives the same counts', async () => {
  const [base, optimism] = devnet.chains as [DevnetChain, DevnetChain]
  const before = await settled()
  await demandRecount(before)
  await swap(base, 1)
  await swap(base, 2)
  await swap(base, 1)
  await swap(optimism, 1)
  const after = await settled()
  await demandRecount(after)
  const gained = (part: 'fills' | 'uniqueTraders') => after.totals[part]! - before.totals[part]!
  expect([gained('fills'), gained('uniqueTraders')]).toEqual([4, 2])
})

test('behavior: a swap in a reverted block no longer counts', async () => {
  const [base] = devnet.chains as [DevnetChain]
  const before = await settled()
  const node = createTestClient({ mode: 'hardhat', transport: http(base.rpcUrl) })
  const id = await node.snapshot()
  await swap(base, 3)
  const with3 = await settled()
  expect(with3.totals.fills).toBe(before.totals.fills! + 1)
  // Empty blocks replace the blocks of the three transactions.
  await node.revert({ id })
  await node.mine({ blocks: 5 })
  const after = await settled()
  expect(after.totals.fills).toBe(before.totals.fills)
  expect(after.totals.uniqueTraders).toBe(before.totals.uniqueTraders)
  await demandRecount(after)
})

/** Returns the output of `sluice stats`, for a terminal or for a program. */
async function cli(isTty: boolean): Promise<string> {
  let stdout = ''
  const code = await runCli(['stats'], {
    stdout: (text) => {
      stdout += text
    },
    stderr: () => {},
    isTty,
    env: { SLUICE_URL: server.url },
    readFile: () => '',
  })
  expect(code).toBe(0)
  return stdout
}

test('default: the command line prints the statistics, and its JSON matches the schema', async () => {
  const { chains, totals } = statsResponse.parse(await settled())
  const told = statsResponse.parse(JSON.parse(await cli(false)))
  expect(told.totals).toEqual(totals)
  expect(told.chains.map(({ filter }) => filter)).toEqual(chains.map(({ filter }) => filter))
  const stdout = await cli(true)
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  expect(rows[0]).toEqual(['CHAIN', 'FILLS', 'TRADERS', 'FROM', 'TO', 'BEHIND', 'INDEXED', 'STATE'])
  expect(rows.slice(1, 3)).toEqual(
    chains.map(({ fills, name, toBlock, uniqueTraders }) => [
      ...[name, `${fills}`, `${uniqueTraders}`, '0', `${toBlock}`, '0', '100.00 %', 'ok'],
    ]),
  )
  expect(rows[3]).toEqual(['2 of 2', `${totals.fills}`, `${totals.uniqueTraders}`])
})
