import { Events } from '@sluice/domain'
import type { Address } from 'viem'
import type { Transaction } from './Block.js'
import { type Flows, flowsOf, sidesOf } from './flows.js'
import { type Source, sourceOf } from './swapEvents.js'

/** What a transaction exchanged. Native coin counts as its wrapped token. */
export type Exchange = {
  /** Wallet that paid and received. */
  readonly trader: Address
  readonly tokenIn: Address
  readonly amountIn: bigint
  readonly tokenOut: Address
  /** What the trader received. */
  readonly amountOut: bigint
  /** What others kept of the output on the way, such as the fee of the router. */
  readonly keptOut: bigint
  /** Pools on which it swapped. */
  readonly sources: readonly Source[]
  /** Other tokens that moved. */
  readonly between: readonly Address[]
}

/**
 * Why a transaction is not compared:
 *
 * - `own`: a Router of Sluice made the swap;
 * - `arbitrage`: nobody but pools paid;
 * - `no_trader`: no wallet paid one thing and received another, as in liquidations and swaps for other recipients;
 * - `several_traders`: a settlement of several orders;
 * - `several_tokens`: the trader paid or received more than one token;
 * - `native_unclear`: what the trader received in native coin can be told neither from logs nor from balances.
 */
export type Reason =
  | 'own'
  | 'arbitrage'
  | 'no_trader'
  | 'several_traders'
  | 'several_tokens'
  | 'native_unclear'

/** What the logs of a transaction do not tell. */
export type Known = {
  readonly wrappedNative: Address
  /** Whether an account has no code of its own. */
  readonly isWallet: (account: Address) => boolean
  /**
   * Native coin that the sender received from contracts, in wei, which no log tells.
   * `undefined` if it is not known.
   */
  readonly unseenNative: bigint | undefined
}

/** Reads who exchanged what in a transaction, from its logs alone, or says why it is not the exchange of one trader. */
export function readSwap(
  transaction: Omit<Transaction, 'gasPrice' | 'hash'>,
  { isWallet, unseenNative, wrappedNative }: Known,
): Exchange | Reason {
  if (isOwn(transaction)) return 'own'
  const { from, logs } = transaction
  const sources = sourcesOf(transaction)
  const flows = withUnseen(flowsOf(transaction, wrappedNative), {
    sender: from,
    token: wrappedNative,
    amount: unseenNative ?? 0n,
  })
  const emitters = new Set<Address>(logs.flatMap((log) => (sourceOf(log) ? [log.address] : [])))
  const exchangers = exchangersOf(flows).filter((account) => !emitters.has(account))
  const wallets = exchangers.filter(isWallet)
  const trader = wallets.includes(from) ? from : wallets[0]
  if (trader === undefined) {
    if (isOneSided(flows, from) && unseenNative === undefined) return 'native_unclear'
    return isPaidByNobody(flows, emitters) ? 'arbitrage' : 'no_trader'
  }
  const { given, got } = sidesOf(flows.get(trader))
  const others = wallets.filter((each) => each !== trader)
  if (!others.every((each) => isMirror(flows, each, trader))) return 'several_traders'
  if (given.length > 1 || got.length > 1) return 'several_tokens'
  if (trader === from && transaction.value > 0n && unseenNative === undefined)
    return 'native_unclear'
  const [[tokenIn, amountIn], [tokenOut, amountOut]] = [given[0]!, got[0]!]
  const makers = exchangers
    .filter((each) => each !== trader && each !== transaction.to)
    .map((pool): Source => ({ pool, emitter: pool, isShared: false }))
  const forwarded = tokenOut === wrappedNative ? (unseenNative ?? 0n) : 0n
  const kept = keptOf(flows, { trader, emitters, token: tokenOut }) - forwarded
  return {
    ...{ trader, tokenIn, amountIn, tokenOut, amountOut },
    keptOut: kept > 0n ? kept : 0n,
    sources: [...sources, ...makers],
    between: tokensOf(flows).filter((token) => token !== tokenIn && token !== tokenOut),
  }
}

/** Accounts that both gave and got something, as traders and makers of markets do. */
export function exchangersIn(
  transaction: Omit<Transaction, 'gasPrice' | 'hash'>,
  wrappedNative: Address,
): readonly Address[] {
  return exchangersOf(flowsOf(transaction, wrappedNative))
}

/** Whether the sender may have received native coin that no log tells. */
export function mayReceiveNative(
  transaction: Omit<Transaction, 'gasPrice' | 'hash'>,
  wrappedNative: Address,
): boolean {
  const { from, value } = transaction
  return value > 0n || isOneSided(flowsOf(transaction, wrappedNative), from)
}

/** Each pool once, in the order of the swaps. */
export function sourcesOf({ logs }: Pick<Transaction, 'logs'>): readonly Source[] {
  const all = logs.flatMap((log) => sourceOf(log) ?? [])
  return [...new Map(all.map((source) => [source.pool, source])).values()]
}

/** Every Router of Sluice announces its swaps, wherever it stands. */
function isOwn({ logs }: Pick<Transaction, 'logs'>): boolean {
  return logs.some(({ topics }) => topics[0] === Events.all.Swap.topic0 && topics.length === 4)
}

function withUnseen(
  flows: Flows,
  { amount, sender, token }: { sender: Address; token: Address; amount: bigint },
): Flows {
  if (amount === 0n) return flows
  const own = new Map(flows.get(sender))
  const net = (own.get(token) ?? 0n) + amount
  if (net === 0n) own.delete(token)
  else own.set(token, net)
  return new Map(flows).set(sender, own)
}

function exchangersOf(flows: Flows): readonly Address[] {
  return [...flows].flatMap(([account, net]) => {
    const { given, got } = sidesOf(net)
    return given.length > 0 && got.length > 0 ? [account] : []
  })
}

function isOneSided(flows: Flows, account: Address): boolean {
  const { given, got } = sidesOf(flows.get(account))
  return given.length > 0 && got.length === 0
}

/** A maker takes what the trader gives, and gives what the trader takes. */
function isMirror(flows: Flows, maker: Address, trader: Address): boolean {
  const [own, other] = [sidesOf(flows.get(maker)), sidesOf(flows.get(trader))]
  const tokens = (side: readonly (readonly [Address, bigint])[]) => side.map(([token]) => token)
  return (
    tokens(own.given).join() === tokens(other.got).join() &&
    tokens(own.got).join() === tokens(other.given).join()
  )
}

/** Only pools gave more than they got. */
function isPaidByNobody(flows: Flows, pools: ReadonlySet<Address>): boolean {
  return [...flows].every(([account, net]) => pools.has(account) || sidesOf(net).given.length === 0)
}

/** What accounts that gave nothing keep of a token. */
function keptOf(
  flows: Flows,
  { emitters, token, trader }: { trader: Address; emitters: ReadonlySet<Address>; token: Address },
): bigint {
  let kept = 0n
  for (const [account, net] of flows) {
    if (account === trader || emitters.has(account)) continue
    const { given, got } = sidesOf(net)
    if (given.length === 0) kept += got.find(([each]) => each === token)?.[1] ?? 0n
  }
  return kept
}

function tokensOf(flows: Flows): readonly Address[] {
  return [...new Set([...flows.values()].flatMap((net) => [...net.keys()]))]
}
