import {
  Addresses,
  Chains,
  Decimals,
  Events,
  type Registry,
  SentRoute,
  type Venues,
} from '@sluice/domain'
import type { FoundReceipt } from '@sluice/engine'
import { type Hex, hexToBigInt, slice } from 'viem'
import { type Html, html } from '../html/html.js'
import { layout } from './layout.js'
import { drawRoute } from './routeSvg.js'

type Log = FoundReceipt['logs'][number]

/** A transaction of a Router as its events tell it: what went in, what was quoted and delivered, the floor, the fee. */
export function txPage(
  found: txPage.Found,
  options: Pick<layout.Page, 'assets' | 'isServed'>,
): string {
  const { chain, hash, receipt } = found
  const explorer = Chains.find(chain.chainId)?.explorer
  return layout({
    ...options,
    title: 'A swap · Sluice',
    description: 'What a swap delivered, read from the events of the Router.',
    path: '/tx',
    content: html`<h1>A swap on ${chain.name}</h1>
<p class="lead">${leadOf(found)}</p>
<section class="card"><h2>Transaction</h2><dl class="facts">
<div><dt>Hash</dt><dd><code>${hash}</code></dd></div>
${receipt != null && html`<div><dt>Block</dt><dd class="number">${receipt.blockNumber}</dd></div><div><dt>Sent by</dt><dd><code>${receipt.from}</code></dd></div>`}
${explorer !== undefined && html`<div><dt>Elsewhere</dt><dd><a href="${explorer}/tx/${hash}" rel="noreferrer">Explorer</a></dd></div>`}
</dl></section>
${receipt?.isSuccess === true && swapCards(found, receipt)}
${receipt?.isSuccess === true && routeCard(found, receipt)}`,
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
  }
}

/** The same route for each kind of screen; the style sheet shows one. Widths in pixels. */
const drawings = [
  ['wide', 640],
  ['narrow', 310],
] as const

/** The route that was signed; nothing if a Router was called by another contract, whose calldata says less. */
function routeCard({ chain, routers, venues }: txPage.Found, { input, to }: FoundReceipt) {
  const isOurs = to !== null && routers.some((router) => Addresses.equal(router, to))
  const route = isOurs && input !== undefined ? SentRoute.of(input) : undefined
  if (route === undefined) return false
  return html`<section class="card"><h2>Route</h2>
<p class="hint">As the calldata of the transaction says it.</p>
${drawings.map(
  ([name, width]) =>
    html`<div class="routebox ${name}" tabindex="0" role="region" aria-label="Drawing of the route">${drawRoute(route, (token) => nameOf(chain, token), { venues, width })}</div>`,
)}</section>`
}

function leadOf({ receipt, routers }: txPage.Found): string {
  if (receipt === undefined)
    return 'No node of this chain answers now. That says nothing about the transaction.'
  if (receipt === null)
    return 'The chain has not included this transaction yet, or does not know it.'
  if (!receipt.isSuccess) return 'The chain undid this transaction: nothing was swapped.'
  const isOurs = receipt.logs.some((log) => isOf(log, 'Swap', routers))
  return isOurs
    ? 'It happened. Every number below is from the events of the Router.'
    : 'It happened, and no Router of this service took part in it.'
}

function isOf(
  { address, topics }: Log,
  name: keyof typeof Events.all,
  routers: readonly string[],
): boolean {
  return (
    topics[0] === Events.all[name].topic0 &&
    routers.some((router) => Addresses.equal(router, address))
  )
}

function swapCards({ chain, routers }: txPage.Found, { logs }: FoundReceipt): readonly Html[] {
  const word = ({ data }: Log, at: number) => hexToBigInt(slice(data, 32 * at, 32 * at + 32))
  const tokenAt = ({ topics }: Log, at: number) => slice(topics[at]!, 12)
  return logs.flatMap((log, index) => {
    if (!isOf(log, 'Swap', routers) || log.topics.length !== 4 || log.data.length !== 194) return []
    const near = logs.slice(0, index + 3)
    const proof = near.findLast(
      (each) => isOf(each, 'ExecutionProof', routers) && each.data.length === 258,
    )
    const fee = near.findLast((each) => isOf(each, 'Fee', routers) && each.data.length === 194)
    const [tokenIn, tokenOut] = [tokenAt(log, 2), tokenAt(log, 3)]
    const row = (name: string, amount: bigint, token: string) =>
      html`<div><dt>${name}</dt><dd class="number">${amountOf(chain, amount, token)}</dd></div>`
    return [
      html`<section class="card"><h2>${nameOf(chain, tokenIn)} to ${nameOf(chain, tokenOut)}, ${word(log, 2)} ${word(log, 2) === 1n ? 'swap' : 'swaps'}</h2><dl class="facts">
${row('Paid', word(log, 0), tokenIn)}
${row('Delivered', word(log, 1), tokenOut)}
${proof && row('Quoted', word(proof, 0), tokenOut)}
${proof && row('Floor', word(proof, 2), tokenOut)}
${fee && row('Fee', word(fee, 0), tokenOut)}
<div><dt>Trader</dt><dd><code>${tokenAt(log, 1)}</code></dd></div>
</dl></section>`,
    ]
  })
}

/** The symbol of a pinned token, else the address. */
function nameOf(chain: Registry.ServedChain, token: string): string {
  if (Addresses.equal(token, chain.wrappedNative)) return 'WETH'
  if (Addresses.equal(token, chain.usdc)) return 'USDC'
  return chain.slu !== null && Addresses.equal(token, chain.slu) ? 'SLU' : Addresses.shorten(token)
}

function amountOf(chain: Registry.ServedChain, amount: bigint, token: string): string {
  const name = nameOf(chain, token)
  const decimals = Decimals.find(chain.chainId, name) ?? Decimals.find(chain.chainId, token)
  return decimals === undefined
    ? `${amount} base units of ${name}`
    : `${Decimals.toDisplay(amount, decimals)} ${name}`
}
