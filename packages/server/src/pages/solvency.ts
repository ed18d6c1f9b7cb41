import type { SolvencyResponse } from '@sluice/api'
import { Chains, Decimals, Solvency, Texts } from '@sluice/domain'
import { type Html, html } from '../html/html.js'
import { time } from '../html/time.js'
import { layout } from './layout.js'
import { sides } from './sides.js'
import { commandBlocks, fieldTable, historyTable, ledgerTable } from './solvencyParts.js'

type Generation = SolvencyResponse['generations'][number]
type Reading = NonNullable<Generation['reading']>

const words: Readonly<Record<Solvency.Status, string>> = {
  solvent: 'Solvent',
  insolvent: 'Insolvent',
  unknown: 'Unknown',
  not_deployed: 'Not deployed',
}

const icons: Readonly<Record<Solvency.Status, string>> = {
  solvent: 'M5 12.5l4.5 4.5L19 7.5',
  insolvent: 'M6 6l12 12M18 6L6 18',
  unknown: 'M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17.5v.01',
  not_deployed: 'M5 12h14',
}

/**
 * The report as a page that needs no script. All texts come from `report`, and go through the escaping template; the
 * numbers were formatted by the domain.
 */
export function solvencyPage(report: SolvencyResponse, options: solvencyPage.Options): string {
  const deployed = report.generations.filter(({ status }) => status !== 'not_deployed')
  const others = report.generations.filter(({ status }) => status === 'not_deployed')
  const content = html`<h1>Proof of solvency</h1>
<p class="lead">What the Staking contract holds against what it owes, read from the chain at one block. You need not
believe this page: every number comes with the call that repeats it.</p>
<p class="made">${deployed.length > 1 && pill(report.status)}<span class="hint">Made ${time(report.now)}${deployed.length > 1 && ', over all generations'}</span></p>
${deployed.map((each) => generationCard(each, report.now, options.rpcUrls?.get(each.chainId)?.[0]))}
${deployed.length === 0 && nowhere}
${others.length > 0 && elsewhere(others)}
${meaning}`
  return layout({
    ...options,
    title: `Solvency: ${words[report.status].toLowerCase()} · Sluice`,
    description: 'What Staking holds against what it owes, read from the chain at one block.',
    path: '/solvency',
    content,
    script: 'solvency',
  })
}

export declare namespace solvencyPage {
  type Options = Pick<layout.Page, 'assets' | 'isServed'> & {
    /** Nodes that may be named, by chain id: a devnet's own. */
    rpcUrls?: ReadonlyMap<number, readonly string[]> | undefined
  }
}

function pill(status: Solvency.Status): Html {
  return html`<span class="pill ${status}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${icons[status]}"/></svg>${words[status]}</span>`
}

function titleOf({ chainId, name, version }: Generation): string {
  return `Sluice ${Texts.visible(version)} on ${Texts.visible(name)} (${chainId})`
}

function idOf({ chainId, version }: Generation): string {
  return `g-${chainId}-${version.replace(/[^0-9A-Za-z]/g, '-')}`
}

function generationCard(generation: Generation, now: number, rpcUrl?: string): Html {
  const { history, reading, staking } = generation
  const id = idOf(generation)
  return html`<section aria-labelledby="${id}">
<div class="card">
<h2 id="${id}">${titleOf(generation)}</h2>
${reading === null ? unreadableVerdict(generation) : verdict(generation, reading)}
<dl class="facts">
${reading !== null && readingFacts(reading, now)}
<div><dt>Staking contract</dt><dd>${addressLink(generation.chainId, staking)}</dd></div>
<div><dt>Interface</dt><dd><a href="${generation.abi}">ABI of Staking</a></dd></div>
</dl>
</div>
${reading !== null && details(generation, reading, rpcUrl)}
${history.length > 0 && html`<div class="card">${historyTable(history)}</div>`}
</section>`
}

function details(generation: Generation, reading: Reading, rpcUrl?: string): Html {
  return html`<div class="card">${fieldTable(reading)}</div>
<div class="card">${commandBlocks(generation, reading, rpcUrl)}</div>
${reading.ledger.length > 0 && html`<div class="card">${ledgerTable(reading.ledger)}</div>`}`
}

function verdict({ name, status }: Generation, { blockNumber, solvency }: Reading): Html {
  const { backing, collateralRatioWad, deficit, owed, surplus } = solvency
  const percent = Solvency.percentOf({
    owed: BigInt(owed),
    collateralRatioWad: BigInt(collateralRatioWad),
  })
  const rest =
    status === 'insolvent'
      ? html`it lacks <strong>${slu(deficit, 2)} SLU</strong>`
      : surplus === '0'
        ? 'exactly what it needs'
        : html`${slu(surplus, 2)} SLU more than it needs`
  const ratio =
    percent === undefined ? 'Nothing is owed.' : `Backing is ${percent} of what is owed.`
  return html`<div class="verdict">
<div>${pill(status)}
<p class="lead">At block ${blockNumber.toLocaleString('en')} of ${Texts.visible(name)}, Staking held
<strong>${slu(backing, 2)} SLU</strong> and owed <strong>${slu(owed, 2)} SLU</strong>: ${rest}. ${ratio}</p></div>
${sides(solvency)}
</div>`
}

/** Whole tokens; digits beyond are cut off, the exact number stands in the table of fields. */
function slu(base: string, digits: number): string {
  return Decimals.toDisplay(BigInt(base), 18, { digits })
}

function unreadableVerdict({ history, problem }: Generation): Html {
  const [last] = history
  return html`<p>${pill('unknown')}</p>
<p class="lead">${problem?.reason ?? 'It could not be read.'} This says nothing for or against solvency.</p>
<p>Code <code>${problem?.code}</code>. Load the page again in a moment, or ask a node of your own.</p>
${
  last !== undefined &&
  html`<p>The latest reading that succeeded is of block ${last.blockNumber}, ${time(last.readAt)}: it was
${last.solvent ? 'solvent' : 'insolvent'} then.</p>`
}`
}

function readingFacts(reading: Reading, now: number): Html {
  const { blockHash, blockNumber, blockTimestamp, readAt } = reading
  const seconds = Math.max(0, (now - readAt) / 1_000).toFixed(1)
  return html`<div><dt>Block</dt><dd class="number">${blockNumber}</dd></div>
<div><dt>Block hash</dt><dd><code>${blockHash}</code></dd></div>
<div><dt>Time of the block</dt><dd>${time(blockTimestamp * 1_000)}</dd></div>
<div><dt>Read from the chain</dt><dd>${time(readAt)}, ${seconds} s before this page was made</dd></div>`
}

/** A chain of the table has an explorer; a bench chain has none. */
function addressLink(chainId: number, address: string): Html {
  const explorer = Chains.find(chainId)?.explorer
  if (explorer === undefined) return html`<code>${address}</code>`
  return html`<a href="${explorer}/address/${address}" rel="noreferrer"><code>${address}</code></a>`
}

const nowhere = html`<div class="card"><h2>There is no Staking contract yet</h2>
<p>Generation 1.0.0 has none: its Router takes the fee and holds nothing between transactions, so nothing is owed to
anybody. Staking comes with generation 2.0.0, and its report will stand here once the registry names it.</p></div>`

function elsewhere(generations: readonly Generation[]): Html {
  const rows = generations.map(
    (
      each,
    ) => html`<tr><th scope="row">${Texts.visible(each.name)} <span class="meaning">chain ${each.chainId}</span></th>
<td>${Texts.visible(each.version)}</td><td>${pill('not_deployed')}</td></tr>`,
  )
  return html`<div class="card"><h2>Without a Staking contract</h2>
<p>These generations owe nothing to stakers, so there is nothing to prove.</p>
<div class="scroll"><table><thead><tr><th scope="col">Chain</th><th scope="col">Generation</th><th scope="col">Status</th></tr></thead>
<tbody>${rows}</tbody></table></div></div>`
}

const meaning = html`<section class="card" aria-labelledby="proof"><h2 id="proof">What this proves, and what it does not</h2>
<div class="two">
<div><h3>It proves</h3><ul>
<li>At the block named, the token itself says that Staking holds <code>backing</code>: the balance is read beside the report and compared.</li>
<li>All stakes and all rewards set aside, <code>owed</code>, are counted by the contract that must pay them.</li>
<li>Both sides are of one block, so nothing was moved between two readings.</li>
<li>The numbers agree with one another; a report that contradicts itself is shown as unknown.</li>
</ul></div>
<div><h3>It does not prove</h3><ul>
<li>Anything about other blocks: a balance can be borrowed for one block. Compare readings over time.</li>
<li>That the code is free of faults. It has no owner and no pause, but no third party has audited it.</li>
<li>What SLU is worth.</li>
<li>That this service told the truth, until you repeat the call on a node that you trust.</li>
</ul></div>
</div></section>`
