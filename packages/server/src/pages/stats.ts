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
<p class="lead">Swaps (fills) are counted from the events of the Routers; <a href="/api/stats">the same as JSON</a> has the filter with which anybody counts them again. A chain that could not be read has no number, never a zero.</p>
${plots(stats)}
<div class="card"><table class="stack"><thead><tr><th scope="col">Chain</th><th scope="col">Fills</th><th scope="col" class="amount">Traders</th><th scope="col" class="amount">Up to block</th><th scope="col" class="amount">Blocks behind</th></tr></thead><tbody>${rows}</tbody></table></div>`,
  })
}

/** Swaps of each chain in the last 30 days or so, a bar a day. */
function plots({ chains }: StatsResponse): Html | '' {
  const read = chains.filter(({ daily }) => daily !== null)
  if (read.length === 0) return ''
  const cards = read.map(
    ({ daily, name, toBlock }) => html`<div class="card"><h2>${name}</h2>
${plot(daily!.fills)}
<p class="hint">Fills in ranges of ${daily!.blocks.toLocaleString('en')} blocks, about a day each; the last one ends with block ${toBlock ?? '?'}.</p></div>`,
  )
  return html`<div class="plots">${cards}</div>`
}

const [plotHeight, barWidth, barStep] = [90, 9, 12]

function plot(fills: readonly number[]): Html {
  const most = Math.max(1, ...fills)
  const width = fills.length * barStep
  const bars = fills.map((count, day) => {
    const height = count === 0 ? 2 : Math.max(3, Math.round((count / most) * plotHeight))
    const [x, y] = [day * barStep, plotHeight + 16 - height]
    return html`<rect class="${count === 0 ? 'track' : 'assets'}" x="${x}" y="${y}" width="${barWidth}" height="${height}" rx="2"><title>${daysAgo(fills.length - 1 - day)}: ${count}</title></rect>`
  })
  const words = `Fills a day, for ${fills.length} days: at most ${Math.max(...fills)}, ${fills.at(-1)} in the last`
  return html`<svg class="sides days" viewBox="0 0 ${width} ${plotHeight + 36}" role="img" aria-label="${words}"><text x="0" y="11">${Math.max(...fills)}</text>${bars}<text class="quiet" x="0" y="${plotHeight + 32}">${fills.length} days ago</text><text class="quiet" x="${width}" y="${plotHeight + 32}" text-anchor="end">now</text></svg>`
}

function daysAgo(days: number): string {
  return days === 0 ? 'the last day' : `${days} ${days === 1 ? 'day' : 'days'} ago`
}

function bar(part: number, words: string): Html {
  const width = Math.max(part > 0 ? 2 : 0, Math.round(part * 160))
  return html`<svg class="sides" viewBox="0 0 240 20" role="img" aria-label="${words} fills"><rect class="track" x="0" y="2" width="160" height="16" rx="5"/><rect class="assets" x="0" y="2" width="${width}" height="16" rx="5"/><text x="170" y="15">${words}</text></svg>`
}
