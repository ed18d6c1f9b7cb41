import { createRpc, type Rpc } from '@sluice/deploy'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import { type Plan, SwapCall } from '@sluice/domain'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import type { Figure } from '../lib/figures.js'
import { openSender } from '../lib/openSender.js'
import { calldataSizes } from './calldataSizes.js'
import { type Column, columnsOf } from './columns.js'
import { once } from './once.js'
import { feeBps, type Terms } from './Rival.js'
import { swapRouter02, swapRouter02Code } from './swapRouter02.js'
import { universalRouter, universalRouterCode } from './universalRouter.js'
import { readWiring } from './wiring.js'

/** The chain that has both generations and pools of all columns. */
const chainId = 8453
const wholeShare = 10n ** 18n
const wholeBps = 10_000n

/** A router that is compared: ours of both generations, and those of others. */
type Contender = {
  name: string
  address: Address
  approvals(token: Address): readonly { to: Address; data: Hex }[]
  encode(column: Column, terms: Terms): Hex | undefined
}

type Measured = { gas: number; data: Hex }

/**
 * Gas of whole transactions by which a trader swaps, each from the same state: both generations of ours and the routers of
 * others, with the same fee on the output, paid in the swap. Every account and contract held the tokens before.
 */
export async function compareRouters(devnet: Devnet): Promise<Figure[]> {
  const chain = devnet.chains.find((each) => each.chainId === chainId)!
  const bench = await openBench(devnet, chain)
  const figures: Figure[] = []
  for (const column of columnsOf(chain)) {
    const measured = await bench.measure(column)
    figures.push(...figuresOf(column.name, measured))
  }
  return figures
}

function figuresOf(set: string, measured: ReadonlyMap<string, Measured>): Figure[] {
  const gasOf = (name: string) => measured.get(name)?.gas
  const figure = (name: string, value: number, unit: string): Figure => ({
    bench: 'gas',
    figure: name,
    value,
    unit,
    set,
  })
  const ratio = (name: string, of: string, to: string) => {
    const [gas, base] = [gasOf(of), gasOf(to)]
    return gas === undefined || base === undefined ? [] : [figure(name, gas / base, 'ratio')]
  }
  return [
    ...[...measured].map(([name, { gas }]) => figure(name, gas, 'gas')),
    ...ratio('ur.ratio', 'first', 'ur'),
    ...ratio('sr02.ratio', 'first', 'sr02'),
    ...ratio('second.ratio', 'second', 'first'),
    ...[...measured].flatMap(([name, { data }]) =>
      Object.entries(calldataSizes(data)).map(([size, bytes]) =>
        figure(`${name}.${size}`, bytes, 'bytes'),
      ),
    ),
  ]
}

async function openBench(devnet: Devnet, chain: DevnetChain) {
  const rpc = createRpc(chain.rpcUrl)
  const from = devnet.account.address
  const send = openSender(rpc, from)
  const { versions } = devnet.deployments.chains[chainId]!
  const wiring = await readWiring(rpc, chain, versions['1.0.0']!.hub)
  const create = async (data: Hex) => (await send({ data })).contractAddress!
  const contenders: Contender[] = [
    ours('first', chain, versions['1.0.0']!.router),
    ours('second', chain, versions['2.0.0']!.router),
    universalRouter(await create(universalRouterCode(wiring))),
    swapRouter02(await create(swapRouter02Code(wiring))),
  ]
  const columns = columnsOf(chain)
  for (const token of new Set(columns.map(({ tokenIn }) => tokenIn)))
    for (const contender of contenders)
      for (const approval of contender.approvals(token)) await send(approval)

  async function termsOf(minOut: bigint): Promise<Terms> {
    const latest = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
    const deadline = BigInt(latest.timestamp) + 1_200n
    return { minOut, recipient: from, feeRecipient: wiring.feeRecipient, deadline }
  }

  /** What a contender delivers, and the gas of its transaction. `undefined` if it lacks the venue. */
  async function swap(contender: Contender, column: Column, minOut: bigint) {
    const data = contender.encode(column, await termsOf(minOut))
    if (data === undefined) return undefined
    const before = await balanceOf(rpc, column.tokenOut, from)
    const { gasUsed } = await send({ to: contender.address, data })
    const out = (await balanceOf(rpc, column.tokenOut, from)) - before
    return { data, gas: Number(gasUsed), out }
  }

  return {
    async measure(column: Column): Promise<ReadonlyMap<string, Measured>> {
      // Balances, the pools' own records and the collectors' are written for the first time here.
      for (const contender of contenders) await swap(contender, column, 1n)
      const measured = new Map<string, Measured>()
      for (const contender of contenders) {
        const quote = await once(rpc, () => swap(contender, column, 1n))
        if (quote === undefined) continue
        const result = await once(rpc, () => swap(contender, column, quote.out))
        measured.set(contender.name, result!)
      }
      return measured
    },
  }
}

export function ours(name: string, chain: DevnetChain, address: Address): Contender {
  return {
    name,
    address,
    approvals: (token) => [
      {
        to: token,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [address, maxUint256],
        }),
      },
    ],
    encode: (column, { minOut, recipient, deadline }) =>
      SwapCall.encode({ route: routeOf(chain, column, minOut), minOut, recipient, deadline }),
  }
}

/** The legs in the order in which the Solver puts them: all first hops, then all second ones. */
function routeOf(chain: DevnetChain, column: Column, netOut: bigint): Plan.Route {
  const { amountIn, paths, tokenIn, tokenOut } = column
  const depth = Math.max(...paths.map((hops) => hops.length))
  const hops = Array.from({ length: depth }, (_, stage) =>
    paths.flatMap((path) => path[stage] ?? []),
  ).flat()
  const legs = hops.map((hop, index) => {
    const left = hops.slice(index).filter((other) => other.tokenIn === hop.tokenIn).length
    return {
      venue: chain.venues.indexOf(venueNames[hop.pool.kind as keyof typeof venueNames]) + 1,
      pool: hop.pool.address,
      tokenIn: hop.tokenIn,
      tokenOut: hop.tokenOut,
      key: keyOf(hop.pool),
      share: wholeShare / BigInt(left),
    }
  })
  const grossOut = (netOut * wholeBps) / (wholeBps - feeBps)
  return { tokenIn, tokenOut, amountIn, grossOut, impactBps: 0n, legs }
}

const venueNames = {
  uniswapV2: 'uniswap-v2',
  uniswapV3: 'uniswap-v3',
  uniswapV4: 'uniswap-v4',
} as const

function keyOf({ kind, feePips }: DevnetChain['pools'][number]): bigint {
  if (kind === 'uniswapV2') return 0n
  return kind === 'uniswapV4' ? BigInt(feePips) | (10n << 24n) : BigInt(feePips)
}

async function balanceOf(rpc: Rpc, token: Address, account: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  return BigInt(await rpc.request<Hex>('eth_call', [{ to: token, data }, 'latest']))
}
