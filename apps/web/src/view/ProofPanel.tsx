import type { Quote } from '@sluice/sdk'
import { useState } from 'preact/hooks'
import { partOf } from '../effects/partOf.js'
import { percentText } from '../format.js'
import type { Shown } from '../machine/State.js'
import { gapText } from './numbers.js'
import type { Props } from './store.js'

/** How much of the proven maximum the reader gets, and what takes the rest. */
export function BoundPanel({ quote }: { quote: Quote }) {
  const numbers = quote.quote
  if (numbers === undefined) return null
  const proof = proofOf(quote, numbers)
  if (proof === undefined)
    return (
      <section class="panel" aria-labelledby="bound-title">
        <h2 id="bound-title">Proven bound</h2>
        <p class="hint">
          Part of a pool that could matter was not read, so no bound on other routes is claimed for
          this trade.
        </p>
      </section>
    )
  const { gapBps, part, title, whole, words } = proof
  const share = partText(part, whole)
  const fee = percentText(numbers.feeBps + (numbers.integratorFeeBps ?? 0))
  const gap = gapText(gapBps)
  const width = Math.max(0, Math.min(100, Number((part * 10_000n) / whole) / 100))
  return (
    <section class="panel" aria-labelledby="bound-title">
      <h2 id="bound-title">{title.replace('$', share)}</h2>
      <svg
        class="boundbar"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={title.replace('$', share)}
      >
        <rect class="track" x="0" y="0" width="100" height="6" />
        <rect class="fill" x="0" y="0" width={width} height="6" />
      </svg>
      <p class="hint">
        Fee {fee}, route gap {gap}. No routing over the pools that were read {words}: that is proven
        on chain, not estimated.
      </p>
    </section>
  )
}

/** The bound of a quote: the most that any route pays or, for a fixed output, the least that any route takes. */
function proofOf(
  { amountIn, amountOut, exactOutput }: Quote,
  numbers: NonNullable<Quote['quote']>,
) {
  const bound = exactOutput === undefined ? numbers.upperBound : exactOutput.lowerBound
  if (bound === null || bound === undefined || bound === 0n) return undefined
  if (exactOutput === undefined)
    return {
      ...{ part: amountOut, whole: bound, gapBps: numbers.gapBps ?? 0 },
      title: '$ of the proven maximum',
      words: 'pays more',
    }
  return {
    ...{ part: bound, whole: amountIn, gapBps: exactOutput.gapBps ?? 0 },
    title: 'The proven minimum is $ of this price',
    words: 'does it for less',
  }
}

function partText(part: bigint, whole: bigint): string {
  if (whole === 0n) return '100 %'
  return `${(Number((part * 1_000_000n) / whole) / 10_000).toFixed(2)} %`
}

const details = partOf(() => import('../details.js'))

/** Everything else that there is to know of the quote. */
export function DetailsPanel(props: Props & { shown: Shown }) {
  const [isOpen, setOpen] = useState(false)
  const part = isOpen ? details.now() : undefined
  return (
    <details
      class="panel"
      id="proof"
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>
        <h2>Details and proof</h2>
      </summary>
      {isOpen && (part === undefined ? <p class="hint">Loading …</p> : <part.Details {...props} />)}
    </details>
  )
}
