import type { SolvencyResponse } from '@sluice/api'
import { Decimals } from '@sluice/domain'
import { type Html, html } from '../html/html.js'

type Report = NonNullable<SolvencyResponse['generations'][number]['reading']>['solvency']

/** Width of the picture and of its longest bar, in its own units. */
const [width, full] = [340, 340]

/** Both sides as bars on one scale: what is held above what is owed, the latter in its two parts. */
export function sides(report: Report): Html {
  const held = BigInt(report.backing)
  const staked = BigInt(report.totalStaked)
  const owed = BigInt(report.owed)
  const longest = [held, owed, 1n].reduce((a, b) => (a > b ? a : b))
  const lengthOf = (amount: bigint) => Number((amount * BigInt(full * 100)) / longest) / 100
  const amountText = (amount: bigint) => `${Decimals.toDisplay(amount, 18, { digits: 2 })} SLU`
  const stakes = lengthOf(staked)
  const text = `Backing ${amountText(held)}, owed ${amountText(owed)}`
  return html`<svg class="${report.solvent ? 'sides' : 'sides short'}" viewBox="0 0 ${width} 136" role="img" aria-label="${text}">
<text x="0" y="14">Backing</text><text x="${full}" y="14" text-anchor="end">${amountText(held)}</text>
<rect class="track" x="0" y="22" width="${full}" height="22" rx="6"/>
<rect class="assets" x="0" y="22" width="${lengthOf(held)}" height="22" rx="6"/>
<text x="0" y="72">Owed</text><text x="${full}" y="72" text-anchor="end">${amountText(owed)}</text>
<rect class="track" x="0" y="80" width="${full}" height="22" rx="6"/>
<rect class="stakes" x="0" y="80" width="${stakes}" height="22" rx="3"/>
<rect class="rewards" x="${stakes}" y="80" width="${lengthOf(BigInt(report.rewardReserve))}" height="22" rx="3"/>
<rect class="stakes" x="0" y="118" width="10" height="10" rx="2"/><text class="quiet" x="16" y="128">stakes</text>
<rect class="rewards" x="72" y="118" width="10" height="10" rx="2"/><text class="quiet" x="88" y="128">rewards</text>
</svg>`
}
