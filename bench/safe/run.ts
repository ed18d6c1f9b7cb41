import type { QuoteResponse, SignedResponse } from '@sluice/api'
import { type Devnet, type NodeKind, startDevnet } from '@sluice/devnet'
import { Reverts } from '@sluice/domain'
import { type ServerConfig, startServer } from '@sluice/server'
import { type Hex, numberToHex } from 'viem'
import type { Figure } from '../lib/figures.js'
import * as Random from '../optimizer/Random.js'
import { type Drawn, drawWallet, give, openPlace, type Place } from './drawWallets.js'

const [drawCount, drawSeed] = [500, 1]

/** Results of all drawn trades. */
export type Tally = {
  /** Returned transactions that were sent, each with its own gas limit, one per block. */
  sent: number
  swaps: number
  reverted: number
  /** Wallets that hold enough of an honest token, but did not get transactions that complete the swap. */
  stranded: number
  /** Wallets that hold too little, but did not get an issue that says so. */
  untold: number
  /** Requests that got no quote, for example because every route would revert. */
  refused: number
  provoked: number
  unnamed: number
  /** Errors of `estGas` compared with the receipts of the swaps, in percent. */
  errors: number[]
  /** Descriptions of failures. */
  notes: string[]
}

/**
 * Draws trades of wallets that lack allowance or balance, or trade hostile tokens. Requests each with its `sender`, and
 * sends the returned transactions unchanged. Before every second swap, another account trades the same pair, in a
 * separate block.
 */
export async function run({
  count = drawCount,
  seed = drawSeed,
}: {
  count?: number
  seed?: number
} = {}): Promise<Figure[]> {
  const tally = await measure({ count, seed })
  for (const note of tally.notes) console.error(note)
  const set = `seed ${seed}, ${count} draws`
  const figure = (name: string, value: number, unit = 'count'): Figure => ({
    bench: 'safe',
    figure: name,
    value,
    unit,
    set,
  })
  const { errors } = tally
  const within = errors.filter((error) => error <= 5).length / errors.length
  return [
    figure('sent', tally.sent),
    figure('swaps', tally.swaps),
    figure('reverted', tally.reverted),
    figure('stranded', tally.stranded),
    figure('untold', tally.untold),
    figure('refused', tally.refused),
    figure('provoked', tally.provoked),
    figure('unnamed', tally.unnamed),
    figure('estimates', errors.length),
    figure('estimate.within5', within, 'ratio'),
    figure('estimate.max', Math.max(...errors), '%'),
  ]
}

export async function measure(options: {
  count: number
  seed: number
  chainIds?: readonly number[]
  node?: NodeKind
  /** Other settings of the service. */
  service?: Partial<ServerConfig>
}): Promise<Tally> {
  const { chainIds, count, node, seed, service } = options
  const devnet = await startDevnet({ port: 0, chainIds, node })
  const server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...service,
  })
  try {
    const random = Random.from(seed)
    const places = devnet.chains.map(openPlace)
    const tally: Tally = {
      ...{ sent: 0, swaps: 0, reverted: 0, stranded: 0, untold: 0, refused: 0, provoked: 0 },
      ...{ unnamed: 0, errors: [], notes: [] },
    }
    for (let i = 0; i < count; ++i) {
      const place = Random.pick(random, places)
      const drawn = await drawWallet(place, devnet, random)
      await tryOut({ devnet, place, drawn, tally, url: server.url, isDisturbed: i % 2 === 0 })
    }
    return tally
  } finally {
    await server.stop()
    await devnet.stop()
  }
}

type Trial = {
  devnet: Devnet
  place: Place
  drawn: Drawn
  tally: Tally
  url: string
  /** Whether another account trades the pair in a block before the swap. */
  isDisturbed: boolean
}

async function tryOut(trial: Trial): Promise<void> {
  const { drawn, tally, url } = trial
  const { account, amountIn, isHostile, lacks, query } = drawn
  const quote = await get(url, query)
  if (!quote.ok) {
    tally.refused++
    if (!isHostile && quote.code !== 'no_route')
      tally.notes.push(`${JSON.stringify(quote)}: ${line(query)}`)
    return
  }
  const isTold = BigInt(quote.issues?.balance?.expected ?? 0) === amountIn
  if (lacks && (!isTold || quote.tx !== undefined)) {
    tally.untold++
    tally.notes.push(`untold: ${line(query)} ${JSON.stringify(quote)}`)
  }
  const { calls, permit } = quote
  if (calls === undefined) {
    if (!lacks) strand(trial, quote)
    return await provoke(trial)
  }
  const { isDisturbed, place } = trial
  if (isDisturbed) await disturb(trial)
  // The other trade may write storage slots first, which makes this swap cheaper. An imitation takes other gas than its venue.
  const isMeasured =
    !isDisturbed &&
    !quote.route.legs.some(({ venue }) => place.chain.venues[venue - 1]! in place.chain.imitated)
  for (const { data, gas, purpose, to, value } of calls) {
    const call = { to: to as Hex, data: data as Hex, value: BigInt(value), gas: BigInt(gas) }
    await send(trial, call, { purpose, estGas: quote.quote!.estGas, isMeasured })
  }
  if (permit === undefined) return
  const signature = await account.signTypedData(permit.typedData as never)
  const signed = (await post(`${url}/api/quote/signed`, { quote, signature })) as SignedResponse
  const { data, gas, to, value } = signed.tx
  const call = { to: to as Hex, data: data as Hex, value: BigInt(value), gas: BigInt(gas!) }
  await send(trial, call, { purpose: 'swap', estGas: quote.quote!.estGas, isMeasured })
}

function strand({ drawn, tally }: Trial, quote: QuoteResponse): void {
  if (drawn.isHostile) return
  tally.stranded++
  tally.notes.push(`stranded: ${line(drawn.query)} ${JSON.stringify(quote.issues)}`)
}

async function send(
  { drawn, place, tally }: Trial,
  call: Parameters<Place['send']>[1],
  told: { purpose: string; estGas: string; isMeasured: boolean },
): Promise<void> {
  const { gasUsed, isOk } = await place.send(drawn.account.address, call)
  tally.sent++
  if (!isOk) {
    tally.reverted++
    const why = await reasonOf(place, { ...call, from: drawn.account.address })
    tally.notes.push(`reverted: ${told.purpose} with ${why}, gas ${call.gas}: ${line(drawn.query)}`)
    return
  }
  if (told.purpose !== 'swap') return
  tally.swaps++
  if (!told.isMeasured) return
  const error = (Math.abs(Number(told.estGas) - gasUsed) / gasUsed) * 100
  tally.errors.push(error)
  if (error > 5) tally.notes.push(`estimate ${told.estGas}, used ${gasUsed}: ${line(drawn.query)}`)
}

/** Returns why a call reverts on the current state, without a gas limit. */
async function reasonOf(
  { rpc }: Place,
  { data, from, to, value = 0n }: { from: string; to: string; data: string; value?: bigint },
): Promise<string> {
  const call = { from, to, data, value: numberToHex(value) }
  const revert = await rpc.request('eth_call', [call, 'latest']).then(
    () => 'too little gas',
    (error: { data?: unknown }) => String(error.data ?? '0x'),
  )
  return revert.startsWith('0x') ? JSON.stringify(Reverts.read(revert as Hex).name) : revert
}

/**
 * Trades the same pair from another account, in a block between the quote and the swap. The trade is too small to move
 * the price below the floor, which must make the swap revert, but large enough for pools to write storage.
 */
async function disturb({ devnet, drawn, place, url }: Trial): Promise<void> {
  const { amountIn, query } = drawn
  const trader = devnet.account.address
  const small = amountIn / 1_000_000n + 1n
  if (drawn.token) await give(place, trader, { token: drawn.token, amount: small })
  const { signature: _, ...asked } = query
  const quote = await get(url, { ...asked, amountIn: String(small), sender: trader })
  if (!quote.ok || quote.calls === undefined) return
  for (const { data, gas, to, value } of quote.calls)
    await place.send(trader, {
      to: to as Hex,
      data: data as Hex,
      value: BigInt(value),
      gas: BigInt(gas),
    })
}

/** Calls the swap of a quote without `sender`, which may revert, and checks that a revert has a known name. */
async function provoke({ drawn, place, tally, url }: Trial): Promise<void> {
  const { sender, signature: _, ...asked } = drawn.query
  const quote = await get(url, { recipient: sender!, ...asked })
  if (!quote.ok || quote.tx === undefined) return
  const { data, to, value } = quote.tx
  const call = { from: sender, to, data, value: numberToHex(BigInt(value)) }
  const revert = await place.rpc.request('eth_call', [call, 'latest']).then(
    () => undefined,
    (error: { data?: unknown }) => String(error.data ?? '0x'),
  )
  if (revert === undefined) return
  tally.provoked++
  // If the account lacks the native coin for the value, the node rejects the call before any contract runs.
  if (revert === '0x' && BigInt(value) > 0n) return
  const { name } = Reverts.read(revert as Hex)
  if (name !== 'an unknown error') return
  tally.unnamed++
  tally.notes.push(`unnamed: ${revert} ${line(drawn.query)}`)
}

type Failure = { ok: false; code: string }

async function get(url: string, query: Record<string, string>): Promise<QuoteResponse | Failure> {
  const address = `${url}/api/quote?${new URLSearchParams(query)}`
  // An idle connection may have been closed in this moment, so try once more; the request changes nothing.
  const answer = await fetch(address).catch(() => fetch(address))
  return (await answer.json()) as QuoteResponse | Failure
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return await answer.json()
}

function line(query: Record<string, string>): string {
  return new URLSearchParams(query).toString()
}
