import type { StatsResponse } from '@sluice/api'
import { type Html, html } from '../html/html.js'
import { layout } from './layout.js'

/** Fills and traders of every chain as bars on one scale, with how fresh they are. */
export function statsPage(
  stats: StatsResponse,
  page: Pick<layout.Page, 'assets' | 'isServed'>,
): string {
  const most = Math.max(1, ...stats.chains.map(({ fills }) => fills ?? 0))
  const rows = stats.chains.map(
    ({
      error,
      fills,
      lagBlocks,
      name,
      ok,
      toBlock,
      uniqueTraders,
    }) => html`<tr><th scope="row">${name}</th>
<td data-label="Fills">${ok ? bar((fills ?? 0) / most, String(fills)) : html`<span class="hint">${error ?? 'not read'}</span>`}</td>
<td class="number amount" data-label="Traders">${uniqueTraders ?? '–'}</td>
<td class="number amount" data-label="Up to block">${toBlock ?? '–'}</td>
<td class="number amount" data-label="Blocks behind">${lagBlocks ?? '–'}</td></tr>`,
  )
  return layout({
    ...page,
    title: 'Statistics · Sluice',
    description: 'Swaps and traders of every chain, counted from events.',
    path: '/stats',
    content: html`<h1>Statistics</h1>
<p class="lead">Swaps are counted from the events of the Routers; <a href="/api/stats">the same as JSON</a> has the filter with which anybody counts them again. A chain that could not be read has no number, never a zero.</p>
<div class="card"><table class="stack"><thead><tr><th scope="col">Chain</th><th scope="col">Fills</th><th scope="col" class="amount">Traders</th><th scope="col" class="amount">Up to block</th><th scope="col" class="amount">Blocks behind</th></tr></thead><tbody>${rows}</tbody></table></div>`,
  })
}

function bar(part: number, words: string): Html {
  const width = Math.max(part > 0 ? 2 : 0, Math.round(part * 160))
  return html`<svg class="sides" viewBox="0 0 240 20" role="img" aria-label="${words} fills"><rect class="track" x="0" y="2" width="160" height="16" rx="5"/><rect class="assets" x="0" y="2" width="${width}" height="16" rx="5"/><text x="170" y="15">${words}</text></svg>`
}
