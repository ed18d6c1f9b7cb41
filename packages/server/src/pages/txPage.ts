import {
  Addresses,
  Chains,
  Decimals,
  type Registry,
  SentRoute,
  SwapReceipt,
  type TokenFacts,
  type Venues,
} from '@sluice/domain'
import type { FoundReceipt } from '@sluice/engine'
import type { Hex } from 'viem'
import { type Html, html } from '../html/html.js'
import { layout } from './layout.js'
import { drawRoute } from './routeSvg.js'

/** A transaction of a Router as its events tell it: what went in, what was quoted and delivered, the floor, the fee. */
export function txPage(
  found: txPage.Found,
  options: Pick<layout.Page, 'assets' | 'isServed'>,
): string {
  const { chain, hash, receipt, routers, tokens } = found
  const swaps = receipt?.isSuccess === true ? SwapReceipt.swapsIn(receipt.logs, routers) : []
  const explorer = Chains.find(chain.chainId)?.explorer
  return layout({
    ...options,
    title: 'A swap · Sluice',
    description: 'What a swap delivered, read from the events of the Router.',
    path: '/tx',
    content: html`<h1>A swap on ${chain.name}</h1>
<p class="lead">${leadOf(found, swaps)}</p>
<section class="card"><h2>Transaction</h2><dl class="facts">
<div><dt>Hash</dt><dd><code>${hash}</code></dd></div>
${receipt != null && html`<div><dt>Block</dt><dd class="number">${receipt.blockNumber}</dd></div><div><dt>Sent by</dt><dd><code>${receipt.from}</code></dd></div>${receipt.to !== null && !isRouter(receipt.to, routers) && html`<div><dt>Sent to</dt><dd><code>${receipt.to}</code></dd></div>`}`}
${explorer !== undefined && html`<div><dt>Elsewhere</dt><dd><a href="${explorer}/tx/${hash}" rel="noreferrer">Explorer</a></dd></div>`}
</dl></section>
${swaps.map((swap, index) => swapCard(tokens, swap, swaps.length > 1 ? `Swap ${index + 1} of ${swaps.length}` : undefined))}
${receipt != null && swaps.length > 0 && routeCard(found, receipt)}`,
  })
}

export declare namespace txPage {
  type Found = {
    readonly chain: Registry.ServedChain
    readonly hash: Hex
    readonly receipt: FoundReceipt | null | undefined
    /** Routers of every generation on the chain. */
    readonly routers: readonly string[]
    readonly venues: Venues.Venues | undefined
    /** What is known of the tokens, by address in lower case. */
    readonly tokens: ReadonlyMap<string, TokenFacts.TokenFacts>
  }
}

/** The same route for each kind of screen; the style sheet shows one. Widths in pixels. */
const drawings = [
  ['wide', 640],
  ['narrow', 310],
] as const

/** The route that was signed. The calldata of another contract that called a Router says nothing of it. */
function routeCard({ routers, tokens, venues }: txPage.Found, { input, to }: FoundReceipt) {
  if (!isRouter(to, routers) || input === undefined) return false
  const route = SentRoute.of(input)
  if (route === undefined) return false
  const nameToken = (token: string) => {
    const facts = tokens.get(token.toLowerCase())
    return facts !== undefined && isVouched(facts)
      ? facts.symbol.slice(0, 10)
      : Addresses.shorten(token)
  }
  return html`<section class="card"><h2>Route</h2>
<p class="hint">As the calldata of the transaction says it.</p>
${drawings.map(
  ([name, width]) =>
    html`<div class="routebox ${name}" tabindex="0" role="region" aria-label="Drawing of the route">${drawRoute(route, nameToken, { venues, width })}</div>`,
)}</section>`
}

function isRouter(address: string | null, routers: readonly string[]): boolean {
  return address !== null && routers.some((router) => Addresses.equal(router, address))
}

function leadOf({ receipt, routers }: txPage.Found, swaps: readonly SwapReceipt.Swap[]): string {
  if (receipt === undefined)
    return 'No node of this chain answers now. That says nothing about the transaction.'
  if (receipt === null)
    return 'The chain has not included this transaction yet, or does not know it.'
  if (!receipt.isSuccess) return 'The chain undid this transaction: nothing was swapped.'
  if (swaps.length === 0) return 'It happened, and no Router of this service took part in it.'
  return isRouter(receipt.to, routers)
    ? 'It happened. Every number below is from the events of the Router.'
    : 'It happened through another contract, which called the Router. Every number below is from the events of the Router; the calldata does not say the route.'
}

function swapCard(
  tokens: txPage.Found['tokens'],
  swap: SwapReceipt.Swap,
  place: string | undefined,
): Html {
  const { fee, integratorFee, legs, proof, tokenIn, tokenOut } = swap
  const row = (name: string, amount: bigint, token: string, more?: Html | string) =>
    html`<div><dt>${name}</dt><dd class="number">${amountOf(tokens, amount, token)}${more && html` <span class="hint">${more}</span>`}</dd></div>`
  return html`<section class="card"><h2>${place && html`${place}: `}${nameOf(tokens, tokenIn)} to ${nameOf(tokens, tokenOut)}, ${legs} ${legs === 1n ? 'swap' : 'swaps'}</h2><dl class="facts">
${row('Paid', swap.amountIn, tokenIn)}
${row('Delivered', swap.amountOut, tokenOut, proof?.quoted === swap.amountOut ? 'exactly what was quoted' : undefined)}
${proof && row('Quoted', proof.quoted, tokenOut)}
${proof && row('Floor', proof.floor, tokenOut)}
${fee !== undefined && row('Fee of the protocol', fee, tokenOut)}
${integratorFee && row('Fee of the integrator', integratorFee.amount, tokenOut, html`to <code>${integratorFee.integrator}</code>`)}
<div><dt>Trader</dt><dd><code>${swap.user}</code></dd></div>
</dl></section>`
}

/** Whether somebody else than the token itself gave it its name. */
function isVouched({ source }: TokenFacts.TokenFacts): boolean {
  return source === 'pinned' || source === 'list'
}

/** The symbol of a listed token; any other is told apart by its address. */
function nameOf(tokens: txPage.Found['tokens'], token: string): string {
  const facts = tokens.get(token.toLowerCase())
  if (facts === undefined) return Addresses.shorten(token)
  const symbol = facts.symbol.slice(0, 12)
  return isVouched(facts) ? symbol : `${symbol} (${Addresses.shorten(token)})`
}

function amountOf(tokens: txPage.Found['tokens'], amount: bigint, token: string): string {
  const facts = tokens.get(token.toLowerCase())
  const name = nameOf(tokens, token)
  return facts === undefined
    ? `${amount} base units of ${name}`
    : `${Decimals.toDisplay(amount, facts.decimals)} ${name}`
}
