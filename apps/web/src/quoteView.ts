import { Texts } from '@sluice/domain'
import type { Quote } from '@sluice/sdk'
import { el } from './dom.js'
import { amountText, jsonText, percentText, rateText } from './format.js'
import type { Tokens } from './tokens.js'

/** A number of a quote, and what it means in a sentence. */
type Row = {
  readonly name: string
  readonly value: string
  readonly why: string
  readonly exact?: string
}

/** From here on an impact is pointed out. */
const highImpactBps = 300

/** Every number of a quote with its meaning; exact integers stand in the titles and in the raw answer. */
export function quoteView(quote: Quote, tokens: Tokens): readonly Node[] {
  const { chainId, amountIn, amountOut, tokenIn, tokenOut } = quote
  const nameOf = (token: string) => tokens.nameOf(chainId, token)
  const decimalsOf = (token: string) => tokens.decimalsOf(chainId, token)
  const [given, got] = [decimalsOf(tokenIn), decimalsOf(tokenOut)]
  const rate =
    given !== undefined && got !== undefined && amountIn > 0n
      ? `1 ${nameOf(tokenIn)} = ${rateText({ base: amountIn, decimals: given }, { base: amountOut, decimals: got })} ${nameOf(tokenOut)}, fee included`
      : undefined
  return [
    el('p', { class: 'headline number' }, amountText(amountOut, got, nameOf(tokenOut))),
    ...(rate === undefined ? [] : [el('p', { class: 'hint' }, rate)]),
    ...warnings(quote),
    ...meanings(quote),
    el('dl', { class: 'numbers' }, ...rowsOf(quote, tokens).map(rowView)),
    el(
      'details',
      {},
      el('summary', {}, 'Raw answer'),
      el('pre', { tabindex: 0, role: 'region', 'aria-label': 'Raw answer' }, jsonText(quote)),
    ),
  ]
}

function warnings({
  quote,
  txReason,
  unwrapAfter,
  warnings: told = [],
  wrapRequired,
}: Quote): readonly Node[] {
  const texts = [
    quote?.canExecute === false &&
      `This swap cannot be executed: ${(quote.reason ?? 'the reason is unknown').replace(/\.$/, '')}.`,
    quote !== undefined &&
      quote.impactBps >= highImpactBps &&
      `High price impact: the size of this trade alone costs ${percentText(quote.impactBps)}. Consider smaller pieces.`,
    txReason,
    wrapRequired && 'The input is ETH: wrap it to WETH first, the Router takes WETH.',
    unwrapAfter && 'The output is ETH: the Router delivers WETH, to be unwrapped.',
    // The impact is told above, from a lower one on.
    ...told.flatMap(({ code, message }) => (code === 'high_impact' ? [] : [message])),
  ]
  return texts.flatMap((text, index) =>
    text ? [el('p', { class: index < 2 ? 'outcome bad' : 'outcome unsure' }, text)] : [],
  )
}

/** What a symbol was taken to mean: its address is what counts, since anyone can give any name to a token. */
function meanings({ resolved }: Quote): readonly Node[] {
  return [resolved?.in, resolved?.out].flatMap((side) => {
    if (side === undefined) return []
    const { address, liquidityUsd, name, symbol } = side
    const depth =
      typeof liquidityUsd === 'number'
        ? `, with pools worth about ${Math.floor(liquidityUsd).toLocaleString('en')} USD`
        : ''
    const called = typeof name === 'string' ? ` (${Texts.visible(name)})` : ''
    return [
      el(
        'p',
        { class: 'outcome unsure' },
        `${Texts.visible(symbol)}${called} was taken to mean `,
        el('code', {}, address),
        `${depth}. Names prove nothing: compare the address.`,
      ),
    ]
  })
}

function rowView({ exact, name, value, why }: Row): Node {
  return el(
    'div',
    {},
    el('dt', {}, name),
    el('dd', { class: 'number', ...(exact !== undefined && { title: exact }) }, value),
    el('dd', { class: 'why' }, why),
  )
}

/** How far the route is from its bound; without a bound, that there is none. */
function gapRow({ gapBps, truncated }: NonNullable<Quote['quote']>): readonly Row[] {
  const cut = truncated ? ' A limit cut the search off.' : ''
  if (gapBps === undefined) return []
  if (gapBps === null) {
    const why = `Part of a pool that could matter was not read, so no bound on other routings is claimed.${cut}`
    return [{ name: 'Gap to the bound', value: 'not known', why }]
  }
  return [
    {
      name: 'Gap to the bound',
      value: `${gapBps < 0.01 ? 'below 0.01' : gapBps.toFixed(2)} bps`,
      exact: `${gapBps} basis points`,
      why: `How far this route can be from the best there is, in basis points (0.01 %).${cut}`,
    },
  ]
}

function rowsOf({ chainId, meta, quote, tokenOut }: Quote, tokens: Tokens): readonly Row[] {
  if (quote === undefined) return []
  const decimals = tokens.decimalsOf(chainId, tokenOut)
  const name = tokens.nameOf(chainId, tokenOut)
  const amount = (title: string, base: bigint | null | undefined, why: string): Row[] =>
    base === undefined || base === null
      ? []
      : [{ name: title, value: amountText(base, decimals, name), why, exact: `${base} base units` }]
  const { hops, impactBps, legs } = quote
  const block =
    meta?.blockNumber === undefined
      ? []
      : [
          {
            name: 'Block',
            value: String(meta.blockNumber),
            why: 'The state that all of it was computed on.',
          },
        ]
  return [
    ...amount('Gross output', quote.grossOut, "What the route's swaps deliver."),
    ...amount(
      'Protocol fee',
      quote.protocolFee,
      `${percentText(quote.feeBps)} of the gross output, rounded down.`,
    ),
    ...amount(
      'Net output',
      quote.netOut,
      'What the recipient is paid: the figure to compare with others.',
    ),
    ...amount(
      'Least you receive',
      quote.effectiveMinOut,
      'The transaction reverts below it: the higher of your minimum and the floor.',
    ),
    ...amount(
      'Protocol floor',
      quote.ironFloor,
      'The Router lets nothing less through for this route, whatever the transaction says.',
    ),
    {
      name: 'Price impact',
      value: percentText(impactBps),
      exact: `${impactBps} basis points`,
      why: "What the size of the trade costs, against the same pools' prices before it.",
    },
    ...amount(
      'Upper bound',
      quote.upperBound,
      'No routing over the pools that were read delivers more, before the fee. It is proven, not estimated.',
    ),
    ...gapRow(quote),
    {
      name: 'Gas',
      value: `about ${quote.estGas.toLocaleString('en')}`,
      why: `For the whole transaction: ${legs} ${legs === 1 ? 'swap' : 'swaps'}, ${hops} deep.`,
    },
    ...amount(
      'Gas cost',
      typeof quote.gasCostOut === 'bigint' ? quote.gasCostOut : undefined,
      `What that gas costs at ${quote.gasPriceWei} wei each${quote.gasPriceSource === 'node' ? ", the node's current price" : ''}. You pay it in the chain's coin; the route counts it.`,
    ),
    ...block,
  ]
}
