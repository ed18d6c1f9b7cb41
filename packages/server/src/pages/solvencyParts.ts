import type { SolvencyResponse } from '@sluice/api'
import { Decimals, Solvency } from '@sluice/domain'
import { type Html, html } from '../html/html.js'
import { time } from '../html/time.js'

type Generation = SolvencyResponse['generations'][number]
type Reading = NonNullable<Generation['reading']>

/** Every member of the struct: for people, in base units, and as the word that the node gave. */
export function fieldTable({ raw, solvency }: Reading): Html {
  const wordsOf = Solvency.wordsOf(raw.solvency as `0x${string}`)
  const rows = Solvency.fields.map(
    ({ meaning, name, unit }, index) => html`<tr>
<th scope="row"><code>${name}</code><span class="meaning">${meaning}</span></th>
<td class="number" data-label="Value">${shown(name, solvency)}${unit === 'SLU' && ' SLU'}</td>
<td class="number" data-label="${unit === 'SLU' ? 'Base units' : 'As returned'}">${String(solvency[name])}<span class="raw">${wordsOf[index]}</span></td>
</tr>`,
  )
  return html`<h2>Every field</h2>
<p>The whole answer of <code>solvency()</code>: each value for people, as the integer it is, and as the word that the
node gave.</p>
<table class="stack"><thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Integer and raw word</th></tr></thead>
<tbody>${rows}</tbody></table>
<p class="hint">Beside it, <code>isSolvent()</code> answered <code>${raw.isSolvent}</code>${
    raw.balance !== undefined &&
    html`, and SLU's own <code>balanceOf(Staking)</code> answered <code>${raw.balance}</code>`
  }.</p>`
}

function shown(name: Solvency.FieldName, solvency: Reading['solvency']): string {
  if (name === 'solvent') return solvency.solvent ? 'yes' : 'no'
  if (name !== 'collateralRatioWad') return Decimals.toDisplay(BigInt(solvency[name]), 18)
  const { collateralRatioWad, owed } = solvency
  const ratio = { collateralRatioWad: BigInt(collateralRatioWad), owed: BigInt(owed) }
  return Solvency.percentOf(ratio) ?? 'nothing is owed'
}

/**
 * The call for a reader's own node: as commands, and as a form that a script brings to life. The form holds what the
 * script compares with.
 */
export function commandBlocks(generation: Generation, reading: Reading, rpcUrl?: string): Html {
  const { chainId, staking } = generation
  const { blockHash, blockNumber, cast, curl, raw, rpcRequest } = reading
  const id = `check-${chainId}-${staking.slice(2, 8)}`
  const [call] = rpcRequest.params
  return html`<h2>Repeat it yourself</h2>
<p>On a node of your own, set as <code>RPC_URL</code>. The answer must be the raw words above, byte for byte. Nodes keep the
state of old blocks for a while only; load this page again for a newer one.</p>
${command('curl', 'JSON-RPC, at the hash of the block', curl)}
${command('cast', "Foundry's, decoded, at the number of the block", cast)}
<h3 class="command">In this browser</h3>
<form class="check" data-chain="${chainId}" data-to="${staking}" data-call="${'data' in call! && call.data}" data-hash="${blockHash}" data-block="${blockNumber}" data-raw="${raw.solvency}" hidden>
<p class="hint">Your browser makes the call itself and compares the answer. Nothing goes through this service.</p>
<div class="row">
<label for="${id}">Address of your node
<input id="${id}" name="rpc" type="url" inputmode="url" autocomplete="url" spellcheck="false" placeholder="https://your.node" value="${rpcUrl}" required></label>
<button type="submit">Check with my node</button>
<button type="button" class="plain" data-wallet hidden>Check with my wallet</button>
</div>
<p class="outcome" role="status"></p>
</form>
<noscript><p class="hint">Scripts are off, which is fine: the commands above are the same check.</p></noscript>`
}

function command(title: string, text: string, content: string): Html {
  return html`<div class="command"><div><h3>${title} <span class="meaning">${text}</span></h3>
<button type="button" class="plain small" data-copy hidden>Copy</button></div>
<pre tabindex="0" role="region" aria-label="${title} command"><code>${content}</code></pre></div>`
}

/** What Core keeps for stakers and treasury, by token. */
export function ledgerTable(ledger: Reading['ledger']): Html {
  const rows = ledger.map(({ decimals, held, symbol, t1, t2, token }) => {
    const amount = (base: string | null) =>
      base === null
        ? 'unknown'
        : decimals === null
          ? `${base} base units`
          : Decimals.toDisplay(BigInt(base), decimals)
    return html`<tr><th scope="row">${symbol}<span class="raw">${token}</span></th>
<td class="number amount" data-label="Held">${amount(held)}</td>
<td class="number amount" data-label="T1, stakers">${amount(t1)}</td>
<td class="number amount" data-label="T2, treasury">${amount(t2)}</td>
<td data-label="Covered">${covered(held, t1, t2)}</td></tr>`
  })
  return html`<h2>Fees in Core, at the same block</h2>
<p>Each fee of a swap is split into T1 for stakers and T2 for the treasury. What has arrived and is not recorded yet is held
beyond both. Tokens other than these can be in the ledger too: ask <code>ledger(token)</code>.</p>
<table class="stack"><thead><tr><th scope="col">Token</th><th scope="col" class="amount">Held</th><th scope="col" class="amount">T1, stakers</th><th scope="col" class="amount">T2, treasury</th><th scope="col">Covered</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

function covered(held: string | null, t1: string | null, t2: string | null): string {
  if (held === null || t1 === null || t2 === null) return 'unknown'
  return BigInt(held) >= BigInt(t1) + BigInt(t2) ? 'yes' : 'no'
}

/** What this process read lately, a line for each block. */
export function historyTable(history: Generation['history']): Html {
  const amount = (base: string) => Decimals.toDisplay(BigInt(base), 18, { digits: 4 })
  const rows = history.map(
    ({ backing, blockNumber, owed, readAt, solvent }) => html`<tr>
<th scope="row" class="number">${blockNumber}</th><td data-label="Read">${time(readAt)}</td>
<td class="number amount" data-label="Backing">${amount(backing)}</td><td class="number amount" data-label="Owed">${amount(owed)}</td>
<td data-label="Solvent">${solvent ? 'yes' : 'no'}</td></tr>`,
  )
  return html`<h2>Latest readings</h2>
<p>Those of this process, one a block, in SLU cut off at four decimals.</p>
<table class="stack"><thead><tr><th scope="col">Block</th><th scope="col">Read</th><th scope="col" class="amount">Backing</th><th scope="col" class="amount">Owed</th><th scope="col">Solvent</th></tr></thead>
<tbody>${rows}</tbody></table>`
}
