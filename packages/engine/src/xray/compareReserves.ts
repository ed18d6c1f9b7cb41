import { isSingleton, type MarketPair } from '../market/MarketPair.js'
import type { XrayPool, XraySide, XraySummary, XrayVerdict } from './Xray.js'

/** Differences up to this are ignored, in basis points: reports are late and rounded. */
export const toleranceBps = 50
/** Share of the reported liquidity, in basis points, from which the summary's verdict is phantom. */
export const phantomFromBps = 100

/** On-chain data of one side. */
export type Held = Pick<XraySide, 'balance' | 'decimals' | 'call'>

/** Maximum plausible decimals; larger values are treated as unknown. */
const maxDecimals = 77

/**
 * Compares a reported pool with its balances. Only missing reserves count: a balance above the report may be
 * uncollected fees or a donation.
 */
export function comparePool(row: MarketPair, held: { base: Held; quote: Held }): XrayPool {
  const base = compareSide(row.base.address, row.baseReserve, held.base)
  const quote = compareSide(row.quote.address, row.quoteReserve, held.quote)
  const shared = { pair: row.pair, dex: row.dex, base, quote }
  const reportedUsd =
    row.liquidityUsd ??
    sumOf(worth(base.reported, row.basePriceUsd), worth(quote.reported, row.quotePriceUsd))
  if (isSingleton(row))
    return {
      ...shared,
      method: 'unsupported_singleton',
      reportedUsd,
      onchainUsd: undefined,
      phantomUsd: undefined,
      phantomBps: undefined,
      verdict: 'unknown',
    }
  const onchainUsd = sumOf(
    worth(wholeOf(base), row.basePriceUsd),
    worth(wholeOf(quote), row.quotePriceUsd),
  )
  const missing = [missingOf(base), missingOf(quote)] as const
  const isWhole = missing.every((part) => part !== undefined)
  const missingUsd = sumOf(
    worth(part(missing[0], base.reported), row.basePriceUsd),
    worth(part(missing[1], quote.reported), row.quotePriceUsd),
  )
  const phantomUsd = isWhole ? phantomOf(reportedUsd, onchainUsd, missingUsd) : undefined
  const phantomBps = isWhole
    ? (bpsOf(phantomUsd, reportedUsd) ?? Math.round(10_000 * Math.max(...missing)))
    : undefined
  const hasPhantom = missing.some((each) => each !== undefined && each > 0) || (phantomBps ?? 0) > 0
  const verdict: XrayVerdict = hasPhantom ? 'phantom' : isWhole ? 'real' : 'unknown'
  return {
    ...shared,
    method: 'balanceOf',
    reportedUsd,
    onchainUsd,
    phantomUsd,
    phantomBps,
    verdict,
  }
}

/** Summarizes the pools, weighted by their reported value. */
export function summarize(pools: readonly XrayPool[]): XraySummary {
  const compared = pools.filter(({ phantomBps }) => phantomBps !== undefined)
  const weighed = compared.filter(({ phantomUsd }) => phantomUsd !== undefined)
  const total = (name: 'reportedUsd' | 'onchainUsd' | 'phantomUsd') =>
    weighed.length === 0 ? undefined : weighed.reduce((sum, pool) => sum + (pool[name] ?? 0), 0)
  const sums = {
    reportedUsd: total('reportedUsd'),
    onchainUsd: total('onchainUsd'),
    phantomUsd: total('phantomUsd'),
  }
  const phantomBps = bpsOf(sums.phantomUsd, sums.reportedUsd)
  return {
    pools: pools.length,
    compared: compared.length,
    ...sums,
    phantomBps,
    verdict: verdictOf(pools, compared, phantomBps),
  }
}

function verdictOf(
  pools: readonly XrayPool[],
  compared: readonly XrayPool[],
  phantomBps: number | undefined,
): XrayVerdict {
  if (compared.length === 0) return 'unknown'
  const isPhantom =
    phantomBps === undefined
      ? compared.some(({ verdict }) => verdict === 'phantom')
      : phantomBps >= phantomFromBps
  if (isPhantom) return 'phantom'
  // If most of the reported value could not be read, the rest says little.
  const asked = pools.filter(({ method }) => method === 'balanceOf')
  const usd = (some: readonly XrayPool[]) =>
    some.reduce((sum, { reportedUsd = 0 }) => sum + reportedUsd, 0)
  return 2 * usd(compared) >= usd(asked) ? 'real' : 'unknown'
}

function compareSide(token: XraySide['token'], reported: number | undefined, held: Held): XraySide {
  const side = { token, reported, ...held, deltaBps: undefined }
  const whole = wholeOf(side)
  if (whole === undefined || reported === undefined) return side
  if (reported === 0) return { ...side, deltaBps: whole === 0 ? 0 : undefined }
  return { ...side, deltaBps: Math.round(10_000 * (whole / reported - 1)) }
}

/** Balance in whole tokens. */
function wholeOf({ balance, decimals }: Held): number | undefined {
  if (balance === undefined || decimals === undefined || decimals > maxDecimals) return undefined
  return Number(balance) / 10 ** decimals
}

/** Share of the report that is missing, from 0 to 1; zero within the tolerance. */
function missingOf(side: XraySide): number | undefined {
  const whole = wholeOf(side)
  if (whole === undefined || side.reported === undefined) return undefined
  const isThere = whole >= side.reported * (1 - toleranceBps / 10_000)
  return isThere ? 0 : 1 - whole / side.reported
}

/** Value of the missing reserves, or of the USD value claimed beyond all balances, whichever is higher. */
function phantomOf(
  reportedUsd: number | undefined,
  onchainUsd: number | undefined,
  missingUsd: number | undefined,
): number | undefined {
  if (reportedUsd === undefined || onchainUsd === undefined || missingUsd === undefined)
    return undefined
  const beyond = reportedUsd - onchainUsd
  const isBeyond = beyond > (reportedUsd * toleranceBps) / 10_000
  return Math.min(Math.max(missingUsd, isBeyond ? beyond : 0), reportedUsd)
}

function bpsOf(some: number | undefined, all: number | undefined): number | undefined {
  if (some === undefined || all === undefined || all === 0) return undefined
  const bps = Math.round((10_000 * some) / all)
  return Number.isFinite(bps) ? bps : undefined
}

function part(fraction: number | undefined, of: number | undefined): number | undefined {
  return fraction === undefined || of === undefined ? undefined : fraction * of
}

function worth(amount: number | undefined, priceUsd: number | undefined): number | undefined {
  return part(amount, priceUsd)
}

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b
}
