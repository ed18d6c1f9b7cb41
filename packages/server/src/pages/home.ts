import type { Site } from '@sluice/api'
import { Chains, type Registry } from '@sluice/domain'
import { html } from '../html/html.js'
import { layout } from './layout.js'
import { pageDataPath } from './pageData.js'

const trade = 'chain=base&in=ETH&out=USDC&amountIn=1000000000000000000'

/**
 * The page on which tokens are swapped. Its script draws the form in the place of the empty one here, which has its
 * size, so nothing moves; without a script the page says how to ask with a command.
 */
export function homePage(
  site: Site,
  options: Pick<layout.Page, 'assets' | 'isServed'> & { registry: Registry.Registry },
): string {
  const names = [...options.registry.values()].map(({ name }) => name)
  const content = html`<noscript><div class="card"><h1>Swap</h1><p>The form needs a script, the service does not. Ask for a quote with:</p>
<pre><code>curl '${site.url}/api/quote?${trade}'</code></pre></div></noscript>
<div id="app">
<section class="panel swapcard" aria-busy="true">
<div class="cardtop"><h1>Swap</h1><span class="chip">${names[0] ?? Chains.base.name}</span></div>
${emptySide('You pay')}
${emptySide('You receive')}
<div class="rateline"></div>
<dl class="figures">${['You receive', 'At least', 'Total cost'].map((name) => html`<div><dt>${name}</dt><dd class="number">–</dd></div>`)}</dl>
<div class="primary-line"><button type="button" class="primary" disabled>Starting …</button></div>
<p class="freshness hint"><span class="stuck">The page has not started. <a href="/">Load it again</a>; if that does not help, this browser may be too old.</span></p>
</section>
<div class="proofs"><section class="panel"><h2>Every number can be checked</h2>
<p>The best route is found on chain, with proof of how good it is. A quote is one call: your own node repeats it before you sign.</p></section></div>
</div>`
  return layout({
    ...options,
    title: 'Sluice: swap at a price you can check',
    description:
      'DEX aggregator: the best route is found on chain, and every quote can be repeated on a node of your own.',
    path: '/',
    content,
    kind: 'home',
    preload: pageDataPath,
    script: 'home',
  })
}

function emptySide(name: string) {
  return html`<div class="side"><div class="side-top"><span>${name}</span></div><div class="side-main"><span class="big asking">…</span></div></div>`
}
