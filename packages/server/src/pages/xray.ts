import type { ApiError, XrayResponse } from '@sluice/api'
import { Addresses, Chains, type Registry, Texts } from '@sluice/domain'
import { type Html, html } from '../html/html.js'
import { time } from '../html/time.js'
import { layout } from './layout.js'

type Options = Pick<layout.Page, 'assets' | 'isServed'> & { registry: Registry.Registry }
type Pool = XrayResponse['pools'][number]
type Side = Pool['base']

/** What market data reports of a token's pools beside what the pools hold, and a form that asks for a token. */
export function xrayPage(found: xrayPage.Found, { registry, ...page }: Options): string {
  const { asked, problem, report } = found
  return layout({
    ...page,
    title: 'X-ray · Sluice',
    description: 'Reported reserves of a token beside what its pools hold.',
    path: '/xray',
    content: html`<h1>X-ray</h1>
<p class="lead">Market data says how much a pool holds; the chain knows. Both, side by side, for every pool of a token.</p>
${formOf(asked, registry)}
${problem !== undefined && html`<section class="card problem" role="alert"><h2>No report</h2><p>${problemWords(problem, asked.token)}</p></section>`}
${report !== undefined && reportOf(report)}`,
  })
}

export declare namespace xrayPage {
  type Found = {
    readonly asked: { readonly chain: string; readonly token: string }
    readonly report?: XrayResponse | undefined
    readonly problem?: ApiError | undefined
  }
}

function formOf({ chain, token }: xrayPage.Found['asked'], registry: Registry.Registry): Html {
  const wanted = Chains.idOf(chain)
  const options = [...registry.values()].map(({ chainId, name }) =>
    chainId === wanted
      ? html`<option value="${chainId}" selected>${name}</option>`
      : html`<option value="${chainId}">${name}</option>`,
  )
  return html`<form class="card asking" action="/xray">
<label>Chain <select name="chain">${options}</select></label>
<label>Token <input name="token" value="${token.slice(0, 64)}" placeholder="Symbol or address" autocomplete="off" required></label>
<button type="submit">Compare</button>
</form>`
}

function problemWords({ code, message }: ApiError, token: string): string {
  return code === 'unresolved'
    ? `No token called ${Texts.visible(token, 24)} is known on this chain: paste the address of its contract.`
    : Texts.visible(message.replaceAll('`', ''), 300)
}

const verdicts: Readonly<Record<string, string>> = {
  real: 'Held as reported',
  phantom: 'Less is held than reported',
  unknown: 'Not known',
}

function reportOf(report: XrayResponse): Html {
  const { blockNumber, chainId, curl, pools, readAt, resolved, source, summary, token } = report
  const link = new URLSearchParams({ chain: String(chainId), token }).toString()
  const name = resolved === undefined ? token : `${Texts.visible(resolved.symbol, 16)} (${token})`
  return html`<section class="card"><h2>${verdicts[summary.verdict] ?? summary.verdict}</h2>
<p><code>${name}</code> on ${Chains.find(chainId)?.name ?? chainId}: ${summary.compared} of ${summary.pools} pools compared at block ${blockNumber}, ${time(readAt)}. Reported by ${source}.</p>
<dl class="facts"><div><dt>Reported</dt><dd class="number">${usd(summary.reportedUsd)}</dd></div>
<div><dt>Held</dt><dd class="number">${usd(summary.onchainUsd)}</dd></div>
<div><dt>Missing</dt><dd class="number">${usd(summary.phantomUsd)}</dd></div></dl>
<p class="hint"><a href="/api/xray?${link}">The same as JSON</a>, with the call of every number.</p></section>
${pools.map(poolOf)}
<section class="card"><details><summary>Read it again on a node of your own</summary><pre tabindex="0" role="region" aria-label="Command"><code>${curl}</code></pre></details></section>`
}

function poolOf({ base, dex, method, pair, quote, verdict }: Pool): Html {
  const isCompared = base.onchain !== null || quote.onchain !== null
  return html`<section class="card pool"><h3><code>${pair}</code></h3>
<p class="hint">${dex ?? 'an exchange without a name'}: ${verdicts[verdict] ?? verdict}</p>
${isCompared ? [base, quote].map(barsOf) : html`<p>Not compared (${method}): this kind of pool keeps its tokens elsewhere.</p>`}</section>`
}

/** Width of the longest bar, in the picture's own units. */
const full = 340

/** Both numbers of one token on one scale. */
function barsOf(side: Side): Html {
  const { onchain, reported, token } = side
  const amounts = [Number(reported ?? 0), Number(onchain ?? 0)] as const
  const longest = Math.max(...amounts, Number.MIN_VALUE)
  const [said, held] = amounts.map((amount) => Math.round((amount / longest) * full * 10) / 10)
  const isShort = (side.deltaBps ?? 0) < 0 && onchain !== null
  const name = Addresses.shorten(token)
  return html`<svg class="${isShort ? 'sides short' : 'sides'}" viewBox="0 0 340 96" role="img" aria-label="${name}: reported ${shown(reported)}, held ${shown(onchain)}">
<text x="0" y="13">${name} reported</text><text x="${full}" y="13" text-anchor="end">${shown(reported)}</text>
<rect class="track" x="0" y="20" width="${full}" height="14" rx="5"/><rect class="stakes" x="0" y="20" width="${said!}" height="14" rx="5"/>
<text x="0" y="61">held</text><text x="${full}" y="61" text-anchor="end">${shown(onchain)}</text>
<rect class="track" x="0" y="68" width="${full}" height="14" rx="5"/><rect class="assets" x="0" y="68" width="${held!}" height="14" rx="5"/></svg>`
}

/** An amount for the eye; what could not be read is no zero. */
function shown(amount: string | null): string {
  if (amount === null) return 'not known'
  return Number(amount).toLocaleString('en', { maximumSignificantDigits: 9 })
}

function usd(amount: number | null): string {
  return amount === null ? 'not known' : `$${amount.toLocaleString('en')}`
}
