import { Chains, Decimals, KnownTokens } from '@sluice/domain'
import type { Quote } from '@sluice/sdk'
import { explanationText } from './explanationText.js'
import { table } from './output.js'

/** Formats a quote for people. */
export function quoteTable(quote: Quote): string {
  const { chainId, quote: numbers, route, tokenIn, tokenOut, tx } = quote
  const inPlace = [
    ['Chain', Chains.find(chainId)?.name ?? String(chainId)],
    ['You give', amountOf(quote, tokenIn, quote.amountIn)],
    ['You get', `${amountOf(quote, tokenOut, quote.amountOut)}, after the fee`],
  ]
  const { exactOutput } = quote
  const asked = exactOutput && [
    ['You asked for', amountOf(quote, tokenOut, exactOutput.amountOut)],
    ['You give at most', amountOf(quote, tokenIn, exactOutput.amountInMax)],
    [
      'Nobody needs less than',
      exactOutput.lowerBound === null
        ? 'no bound is claimed'
        : `${amountOf(quote, tokenIn, exactOutput.lowerBound)}; ${exactOutput.gapBps} bps below`,
    ],
  ]
  const meant = [quote.resolved?.in, quote.resolved?.out].flatMap((token) =>
    token ? [[token.symbol, `means ${token.address}${depthOf(token.liquidityUsd)}`]] : [],
  )
  const priced = numbers && [
    ['At least', `${amountOf(quote, tokenOut, numbers.effectiveMinOut)}, or the swap reverts`],
    ['Fee', `${numbers.feeBps / 100} %`],
    ...(numbers.integratorFeeBps === undefined
      ? []
      : [['Integrator', `${numbers.integratorFeeBps / 100} % to ${numbers.integrator}`]]),
    ['Price impact', `${(numbers.impactBps / 100).toFixed(2)} %`],
    ['Gas', `about ${numbers.estGas}${gasText(quote)}`],
    ['Executable', numbers.canExecute ? 'yes' : `no: ${numbers.reason ?? 'no reason given'}`],
  ]
  const block = quote.meta?.blockNumber
  const more = [
    ...(block === undefined ? [] : [['Block', String(block)]]),
    ...(tx ? [['Send to', `${tx.to}${tx.gas === undefined ? '' : `, gas limit ${tx.gas}`}`]] : []),
    ...(quote.txReason === undefined ? [] : [['No transaction', quote.txReason]]),
    ...(quote.warnings ?? []).map(({ code, message }) => ['Warning', `${message} (${code})`]),
    ...('integrity' in quote
      ? [['Checked', Object.keys(quote.integrity as object).join(', ')]]
      : []),
  ]
  const legs = route.legs.map((leg, index) => [
    `  ${index + 1}.`,
    `${short(quote, leg.tokenIn)} → ${short(quote, leg.tokenOut)}`,
    `${(Number(leg.share) / 1e16).toFixed(2)} %`,
    leg.pool,
  ])
  const alternatives = (quote.explain?.alternatives ?? []).map(
    ({ amountOut, kind, legs: steps }) => [
      kind === 'single_pool' ? '  Best single pool' : '  Best path without splitting',
      amountOf(quote, tokenOut, amountOut),
      steps.map((step) => step.venueName ?? step.pool).join(', then '),
    ],
  )
  return [
    table([...inPlace, ...(asked ?? []), ...meant, ...(priced ?? []), ...more]),
    'Route',
    table(legs),
    ...(alternatives.length > 0 ? ['Instead', table(alternatives)] : []),
    ...(quote.explain ? [explanationText(quote.explain)] : []),
    '',
  ].join('\n')
}

function gasText(quote: Quote): string {
  const { gasCostOut, gasPriceSource, gasPriceWei } = quote.quote ?? {}
  if (gasPriceSource === undefined || gasPriceWei === undefined) return ''
  if (gasPriceSource === 'none') return ', not counted in the route'
  const whose = gasPriceSource === 'node' ? "the node's price" : 'your price'
  const worth =
    typeof gasCostOut === 'bigint' ? `: ${amountOf(quote, quote.tokenOut, gasCostOut)}` : ''
  return ` at ${gasPriceWei} wei, ${whose}${worth}`
}

function depthOf(liquidityUsd: number | null): string {
  if (liquidityUsd === null) return ''
  return `, with about ${Math.round(liquidityUsd)} USD behind it`
}

function amountOf({ chainId }: Quote, token: string, amount: bigint): string {
  const known = knownAt(chainId, token)
  return known === undefined
    ? `${amount} base units of ${token}`
    : `${Decimals.toHuman(amount, known.decimals)} ${known.symbol}`
}

function short({ chainId }: Quote, token: string): string {
  return knownAt(chainId, token)?.symbol ?? `${token.slice(0, 8)}…`
}

function knownAt(chainId: number, token: string): KnownTokens.KnownToken | undefined {
  const chain = Chains.find(chainId)
  return chain && KnownTokens.at(chain, token)
}
