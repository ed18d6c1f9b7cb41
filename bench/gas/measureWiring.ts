import type { Rpc } from '@sluice/deploy'
import { startAnvil } from '@sluice/devnet'
import { PlanCall } from '@sluice/domain'
import { type Address, type Hex, hexToNumber, numberToHex, slice } from 'viem'
import type { Figure } from '../lib/figures.js'
import { openWholeWiring, tokenOf, type WholeWiring } from './wholeWiring.js'

const chainIds = [1, 8453, 10, 42161, 4663]
const gwei = 10n ** 9n
const meter: Address = '0x0000000000000000000000000000000000000f73'
const fullGas = 200_000_000n
/** Gas that the searches are held against, as in the bench of quality. */
const tightGas = 12_000_000n

/** What is asked, on a chain of depth 1: a size that splits over many pools, a small one, stablecoins, and tokens without a common pool. */
const trades = [
  ['WETH', 'dollar', 300],
  ['dollar', 'WETH', 1_000],
  ['dollar', 'stable', 2_000_000],
  ['governance', 'dollar', 100_000],
  ['MOSS', 'TIDE', 50_000],
] as const

/**
 * Gas of `previewPlan` with all venues of each chain's config: the most of five trades, without hints and with four
 * connectors and eight pools. `own` has pools on the venues of the devnet only; the others are asked and have none. Then each
 * V2, V3 and Slipstream venue has copies of the pools of another, which is denser than any real chain. By venue: what leaving
 * it out saves in the dearest trade. `tight.worst` is the least output with 12 M of gas, as a part of that with 200 M.
 */
export async function measureWiring(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const chainId of chainIds) {
    const node = await startAnvil({ chainId, port: 0 })
    try {
      const wiring = await openWholeWiring(node.rpc, chainId)
      figures.push(...(await measureChain(node.rpc, wiring)))
    } finally {
      await node.stop()
    }
  }
  return figures
}

async function measureChain(rpc: Rpc, wiring: WholeWiring): Promise<Figure[]> {
  const { connectors, pools, spec } = wiring
  const none = { connectors: [], pools: [] }
  const hints = { connectors, pools }
  const own = [
    ...(await measure(rpc, wiring, { name: 'own.plain', ...none })),
    ...(await measure(rpc, wiring, { name: 'own.hinted', ...hints })),
  ]
  await wiring.copyPools()
  const copied = [
    ...(await measure(rpc, wiring, { name: 'plain', ...none, isByVenue: true })),
    ...(await measure(rpc, wiring, { name: 'hinted', ...hints, isByVenue: true })),
  ]
  const set = `chain ${spec.chainId}`
  return [...own, ...copied].map(([figure, value, unit]) => ({
    ...{ bench: 'gas', figure: `wiring.${figure}`, value, unit, set },
  }))
}

type Row = readonly [figure: string, value: number, unit: string]
type Hints = Pick<PlanCall.PlanQuestion, 'connectors' | 'pools'>

async function measure(
  rpc: Rpc,
  wiring: WholeWiring,
  options: Hints & { name: string; isByVenue?: boolean },
): Promise<readonly Row[]> {
  const { isByVenue = false, name, ...hints } = options
  const rows: Row[] = []
  const questions = trades.map((trade) => ({ ...questionOf(wiring, trade), ...hints }))
  const costs: number[] = []
  let least = 1
  for (const question of questions) {
    const { gas, netOut } = await ask(rpc, wiring, question)
    const tight = await ask(rpc, wiring, question, tightGas)
    costs.push(gas)
    least = Math.min(least, Number(tight.netOut) / Number(netOut))
  }
  const most = Math.max(...costs)
  const dearest = questions[costs.indexOf(most)]!
  rows.push([`${name}.max`, most, 'M'], [`${name}.tight.worst`, least, 'ratio'])
  for (const [index, cost] of costs.entries())
    rows.push([`${name}.${trades[index]!.join(' ')}`, cost, 'M'])
  if (isByVenue)
    for (const [index, id] of wiring.venues.entries()) {
      const without = await ask(rpc, wiring, { ...dearest, excludedVenues: [index + 1] })
      rows.push([`${name}.${id}`, most - without.gas, 'M'])
    }
  return rows
}

function questionOf({ spec }: WholeWiring, [sold, bought, whole]: (typeof trades)[number]) {
  const dollar = spec.tokens.find(({ address }) => address === spec.usdc)!.symbol
  const roles: Readonly<Record<string, string>> = { ...spec.roles, dollar }
  const token = (symbol: string) => tokenOf(spec, roles[symbol] ?? symbol)
  const amountIn = BigInt(Math.round(whole * spec.depth)) * 10n ** BigInt(token(sold).decimals)
  const pair = { tokenIn: token(sold).address, tokenOut: token(bought).address }
  return { ...pair, amountIn, gasPrice: gwei, isExact: false } as const
}

/** Not a static call, in which the adapter of pools with hooks runs no swap. @returns Gas in millions. */
async function ask(
  rpc: Rpc,
  { quoter }: WholeWiring,
  question: PlanCall.PlanQuestion,
  limit = fullGas,
): Promise<{ gas: number; netOut: bigint }> {
  const call = { to: meter, data: PlanCall.encode(question), gas: numberToHex(limit) }
  const answer = await rpc.request<Hex>('eth_call', [
    call,
    'latest',
    { [meter]: { code: meterOf(quoter) } },
  ])
  const plan = PlanCall.decode(slice(answer, 32))
  // Without one of its venues, a token may have no pool.
  if (plan.verdict !== 'Executable' && question.excludedVenues === undefined)
    throw new Error(`There is no plan for ${JSON.stringify(question, texts)}: ${plan.verdict}.`)
  return { gas: hexToNumber(slice(answer, 0, 32)) / 1e6, netOut: plan.netOut }
}

function texts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}

/**
 * Code that forwards its input to `target` and returns the used gas followed by the return data. If `target` reverts, it
 * reverts with the same data.
 */
function meterOf(target: Address): Hex {
  return `0x365f5f375a5f5f365f5f73${target.slice(2).toLowerCase()}5af15a90602d573d5f5f3e3d5ffd5b90035f523d5f60203e3d6020015ff3`
}
