import { encodeToken, type XrayResponse } from '@sluice/api'
import { Decimals, Preparation, type Tokens } from '@sluice/domain'
import { type Xray, type XrayAnswer, type XraySide, xrayToleranceBps } from '@sluice/engine'

/** Encodes an x-ray: unknown values are null, amounts are decimal strings. */
export function encodeXray(
  { isStale, xray }: XrayAnswer,
  token: Tokens.Token,
  rpcUrl: string | undefined,
): XrayResponse {
  const { block, call, pools, summary, tax } = xray
  const resolved = encodeToken(token)
  return {
    ok: true,
    chainId: xray.chainId,
    token: xray.token,
    ...(resolved && { resolved }),
    source: xray.source,
    blockNumber: Number(block.number),
    ...(block.hash && { blockHash: block.hash }),
    readAt: xray.readAt,
    ...(isStale && { stale: true as const }),
    toleranceBps: xrayToleranceBps,
    summary: {
      pools: summary.pools,
      compared: summary.compared,
      reportedUsd: usd(summary.reportedUsd),
      onchainUsd: usd(summary.onchainUsd),
      phantomUsd: usd(summary.phantomUsd),
      phantomBps: summary.phantomBps ?? null,
      verdict: summary.verdict,
    },
    pools: pools.map(encodePool),
    tax: {
      buyBps: tax.buyBps ?? null,
      sellBps: tax.sellBps ?? null,
      transferBps: tax.transferBps ?? null,
      reason: tax.reason ?? null,
      rpcRequests: tax.calls.map(encodeCall),
    },
    rpcRequest: encodeCall(call),
    curl: Preparation.curlOf(call, rpcUrl),
  }
}

function encodePool(pool: Xray['pools'][number]): XrayResponse['pools'][number] {
  const { dex, method, pair, verdict } = pool
  return {
    pair,
    // Only identifiers: the text comes from outside.
    dex: dex !== undefined && /^[a-z0-9_-]{1,32}$/i.test(dex) ? dex : null,
    method,
    base: encodeSide(pool.base),
    quote: encodeSide(pool.quote),
    reportedUsd: usd(pool.reportedUsd),
    onchainUsd: usd(pool.onchainUsd),
    phantomBps: pool.phantomBps ?? null,
    verdict,
  }
}

function encodeSide(side: XraySide): XrayResponse['pools'][number]['base'] {
  const { balance, call, decimals, deltaBps, reported, token } = side
  const isRead = balance !== undefined && decimals !== undefined
  return {
    token,
    reported: reported === undefined ? null : plain.format(reported),
    onchain: isRead ? Decimals.toHuman(balance, decimals) : null,
    deltaBps: deltaBps !== undefined && Number.isSafeInteger(deltaBps) ? deltaBps : null,
    balance: balance?.toString() ?? null,
    decimals: decimals ?? null,
    ...(call && { call: { to: call.to, data: call.data } }),
  }
}

/** Formats a number without exponents or separators, with all digits of the source. */
const plain = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 })

/** Rounds to cents. Returns null for values that are not finite. */
function usd(value: number | undefined): number | null {
  if (value === undefined || !Number.isFinite(value)) return null
  return value < 1e12 ? Math.round(100 * value) / 100 : value
}

function encodeCall({ id, jsonrpc, params }: Xray['call']): XrayResponse['rpcRequest'] {
  return { jsonrpc, id, method: 'eth_call', params: [...params] }
}
