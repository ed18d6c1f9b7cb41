import { Chains, type Registry } from '@sluice/domain'
import { html } from '../html/html.js'
import { layout } from './layout.js'

const trade = 'chain=base&in=ETH&out=USDC&amountIn=1000000000000000000'

/**
 * The page on which a trade is asked for. Everything that depends on a quote is written by its script; without one it
 * says how to ask with a command.
 */
export function homePage(
  registry: Registry.Registry,
  options: Pick<layout.Page, 'assets' | 'isServed'> & { url: string },
): string {
  const chains = new Map([...registry.values()].map(({ chainId, name }) => [chainId, name]))
  const items = [...chains].map(([chainId, name]) => {
    const alias = Chains.find(chainId)?.alias ?? chainId
    return html`<option value="${chainId}" data-alias="${alias}">${name}</option>`
  })
  const content = html`<h1>Swap at a price you can check</h1>
<p class="lead">The best route is found on chain, with proof of how good it is. A quote is one call: repeat it on a node of your
own before you sign.</p>
<noscript><div class="card"><h2>Without scripts</h2><p>The form needs a script, the service does not. Ask for a quote with:</p>
<pre><code>curl '${options.url}/api/quote?${trade}'</code></pre></div></noscript>
<div class="swap">
<form id="trade" class="card" hidden>
<h2>Trade</h2>
<label for="chain">Chain<select id="chain" name="chain">${items}</select></label>
<fieldset class="side"><legend>You give</legend>
<div class="pair"><label for="amount"><span>Amount</span><input id="amount" name="amount" inputmode="decimal" autocomplete="off" spellcheck="false" required value="1" aria-describedby="amount-hint"></label>
<label for="in"><span>Token</span><input id="in" name="in" list="tokens" autocomplete="off" spellcheck="false" required value="ETH"></label></div>
<p class="hint" id="amount-hint"></p></fieldset>
<button type="button" class="plain flip" id="flip" aria-label="Exchange the two tokens"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M8 4v16m0 0l-4-4m4 4l4-4M16 20V4m0 0l-4 4m4-4l4 4"/></svg></button>
<fieldset class="side"><legend>You get</legend>
<div class="pair"><p class="got number"><output id="got" for="amount in out chain">…</output></p>
<label for="out"><span>Token</span><input id="out" name="out" list="tokens" autocomplete="off" spellcheck="false" required value="USDC"></label></div></fieldset>
<datalist id="tokens"><option value="ETH"><option value="WETH"><option value="USDC"><option value="SLU"></datalist>
<details><summary>Recipient, slippage, deadline</summary>
<label for="recipient">Recipient <span class="hint">who is paid; with it the answer carries a transaction</span><input id="recipient" name="recipient" autocomplete="off" spellcheck="false" placeholder="0x…"></label>
<div class="pair"><label for="slippage">Slippage, basis points<input id="slippage" name="slippageBps" inputmode="numeric" autocomplete="off" placeholder="protocol floor"></label>
<label for="deadline">Deadline, seconds<input id="deadline" name="deadlineSec" inputmode="numeric" autocomplete="off" placeholder="120"></label></div>
</details>
<div class="row"><button type="submit">Get a quote</button><button type="button" class="plain" id="connect" hidden>Connect a wallet</button></div>
</form>
<section id="answer" class="card" aria-labelledby="answer-title" hidden>
<h2 id="answer-title">Quote</h2>
<p class="outcome" id="state" role="status"></p>
<div id="quote"></div>
</section>
</div>
<section id="route" class="card" aria-labelledby="route-title" hidden><h2 id="route-title">Route</h2><div id="drawing"></div></section>
<section id="verify" class="card" aria-labelledby="verify-title" hidden>
<h2 id="verify-title">Verify on your own node</h2>
<p>Your browser asks your node the same question, checks the answer to the last byte and works every number out again. The
service takes no part in it.</p>
<form id="own">
<div class="row"><label for="rpc">Address of your node<input id="rpc" name="rpc" type="url" inputmode="url" spellcheck="false" placeholder="https://your.node" required></label>
<button type="submit">Ask my node</button></div>
</form>
<p class="outcome" id="verdict" role="status"></p>
<div id="checks"></div>
<div id="commands"></div>
</section>
<section class="card" aria-labelledby="more"><h2 id="more">What stands behind it</h2>
<div class="two"><ul>
<li><strong>Proof of the price.</strong> Every quote states an upper bound that no routing over the pools read can beat, and the gap to it.</li>
<li><strong>Quote equals execution.</strong> On one state the Router delivers what was quoted, to the wei, for plain tokens.</li>
<li><strong>A floor that cannot be taken away.</strong> The Router reverts below it, whatever minimum the transaction names.</li>
</ul><ul>
${options.isServed('GET', '/solvency') && html`<li><a href="/solvency">Proof of solvency</a>: what is held and what is owed</li>`}
${options.isServed('GET', '/api/stats') && html`<li><a href="/api/stats">Statistics</a>: fills and traders, with the filter that recounts them</li>`}
<li><a href="/llms.txt">Guide</a>, <a href="/llms-full.txt">every operation</a>, <a href="/sdk.md">SDK</a>, <a href="/errors">every error code</a></li>
<li><a href="/api/openapi.json">OpenAPI document</a>, <a href="/api">index</a>, <a href="/api/deployments">contracts</a></li>
</ul></div></section>`
  return layout({
    ...options,
    title: 'Sluice: swap at a price you can check',
    description:
      'DEX aggregator: the best route is found on chain, and every quote can be repeated on a node of your own.',
    path: '/',
    content,
    script: 'home',
  })
}
