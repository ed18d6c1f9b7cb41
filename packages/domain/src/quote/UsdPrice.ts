import * as Decimals from '../chains/Decimals.js'
import { boundOf, type Plan } from '../plan/Plan.js'

/**
 * Price of a token in US dollars: what both a purchase and a sale of the same tokens cost on the pools, in USDC.
 * `paid` and `received` are in base units of USDC, `tokens` in base units of the token.
 */
export type UsdPrice = {
  readonly tokens: bigint
  /** Paid for `tokens`. */
  readonly paid: bigint
  /** Received for `tokens`, on the same pools. */
  readonly received: bigint
}

/** Why a token has no price. */
export const causes = [
  /** No token at this address has decimals. */
  'not_a_token',
  /** No route connects it with USDC. */
  'no_route',
  /** A sale was run on the live pools, and failed. */
  'not_sellable',
  /** The token takes a tax on transfers, so what one buys is not what one sells. */
  'taxed',
  /** A trade has too much price impact, or the sale returns too little of the USDC paid. */
  'shallow',
  /** The sale returns more USDC than was paid: at least one pool is far from the market. */
  'inconsistent',
  /** The quotes prove no bound, or too wide a one. */
  'unproven',
] as const
export type Cause = (typeof causes)[number]

/** A price, or why there is none. */
export type Verdict =
  | { readonly ok: true; readonly price: UsdPrice }
  | { readonly ok: false; readonly cause: Cause }

/** USDC that is traded for the token and back, in whole coins. */
export const probeUsd = 1_000
/** Maximum price impact of each of the two trades, in basis points. */
export const maxImpactBps = 500n
/** Maximum proven distance of each trade from the optimum, in basis points. */
export const maxGapBps = 50
/** Limits of the USDC that the sale returns, in basis points of the USDC paid. */
export const backBps = { min: 9_500n, max: 10_200n } as const

const usdcDecimals = 6
const wholeBps = 10_000n
/** Decimals of dollars in computations; enough for tokens of a trillionth of a dollar. */
const usdDecimals = 18
/** Digits that are shown. The two trades differ by more than what they leave out. */
const shownDigits = 12

/** USDC that is traded for the token and back, in base units. */
export const probe = BigInt(probeUsd) * 10n ** BigInt(usdcDecimals)

/**
 * Computes a price from two plans: `bought` buys tokens for `probe`, and `sold` sells those tokens.
 *
 * A pool of dust cannot make a price: it cannot trade this amount. If a pool is far from the market, the two trades disagree. Both compare outputs before the protocol fee.
 */
export function of(bought: Plan, sold: Plan): Verdict {
  const plans = [bought, sold]
  if (plans.some(({ route }) => route.impactBps > maxImpactBps)) return no('shallow')
  const paid = bought.route.amountIn
  const received = sold.route.grossOut
  if (received * wholeBps < paid * backBps.min) return no('shallow')
  if (received * wholeBps > paid * backBps.max) return no('inconsistent')
  if (plans.some((plan) => (boundOf(plan).gapBps ?? Number.POSITIVE_INFINITY) > maxGapBps))
    return no('unproven')
  return { ok: true, price: { tokens: bought.route.grossOut, paid, received } }
}

/** A verdict without a price. */
export function no(cause: Cause): Verdict {
  return { ok: false, cause }
}

/** The price of USDC in itself. */
export const ofUsdc: UsdPrice = { tokens: probe, paid: probe, received: probe }

/** Value of an amount in dollars, as a decimal: between what a purchase costs and what a sale brings. */
export function value({ paid, received, tokens }: UsdPrice, amount: bigint): string {
  return display(squareRoot(paid * received * scale * scale), { amount, tokens })
}

/** What an amount costs to buy, in dollars. */
export function cost({ paid, tokens }: UsdPrice, amount: bigint): string {
  return display(paid * scale, { amount, tokens })
}

/** What an amount brings if it is sold, in dollars. */
export function proceeds({ received, tokens }: UsdPrice, amount: bigint): string {
  return display(received * scale, { amount, tokens })
}

const scale = 10n ** BigInt(usdDecimals - usdcDecimals)

/** Rounds down to 12 significant digits, and at least to cents. */
function display(usd: bigint, { amount, tokens }: { amount: bigint; tokens: bigint }): string {
  const exact = (usd * amount) / tokens
  const digits = exact.toString().length
  const dropped = Math.min(Math.max(digits - shownDigits, 0), usdDecimals - 2)
  const unit = 10n ** BigInt(dropped)
  return Decimals.toHuman((exact / unit) * unit, usdDecimals)
}

/** Integer square root, rounded down. */
function squareRoot(square: bigint): bigint {
  if (square < 2n) return square
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
