import { late as latePart, panels as panelsPart } from '../effects/parts.js'
import { currentQuote } from '../machine/question.js'
import { Card, type Opening, useOpening } from './Card.js'
import { Note } from './parts.js'
import type { Props } from './store.js'

/** The whole page from the state alone. What stands already is changed in place, so nothing under a finger is replaced. */
export function App(props: Props & { linkProblem: string | undefined }) {
  const [opening, open] = useOpening()
  return (
    <>
      <Card {...props} open={open} />
      <Proofs {...props} />
      <Sheets {...props} opening={opening} onClose={() => open(undefined)} />
    </>
  )
}

/** What stands there if the service did not even say which chains it has. */
export function NotStarted({ onRetry }: { onRetry: () => void }) {
  return (
    <section class="panel swapcard">
      <h1>Swap</h1>
      <div class="notes">
        <Note kind="bad">
          The page could not start: the service did not answer, or this browser is offline.
        </Note>
      </div>
      <button type="button" class="primary" onClick={onRetry}>
        Try again
      </button>
    </section>
  )
}

/** What opens over the page. */
function Sheets(props: Props & { opening: Opening; onClose: () => void }) {
  const { opening, state } = props
  const { step } = state
  const isChoosing = state.wallet.status === 'choosing'
  if (opening === undefined && !isChoosing && step.at === 'form') return null
  const late = latePart.now()
  if (late === undefined) return null
  const { Account, ActivitySheet, Outcome, Picker, Review, Settings, WalletChooser } = late
  return (
    <>
      {(opening === 'in' || opening === 'out') && <Picker {...props} side={opening} />}
      {opening === 'settings' && <Settings {...props} />}
      {opening === 'activity' && <ActivitySheet {...props} />}
      {opening === 'account' && <Account {...props} />}
      {isChoosing && <WalletChooser {...props} />}
      {step.at === 'review' && <Review {...props} step={step} />}
      <Outcome {...props} />
    </>
  )
}

/** What stands behind the number: the route, the bound, the curve, and how to repeat it. */
function Proofs(props: Props) {
  const { state } = props
  const { step } = state
  const shown = step.at === 'review' || step.at === 'wallet' ? step.frozen : currentQuote(state)
  const panels = panelsPart.now()
  if (shown === undefined || panels === undefined)
    return (
      <div class="proofs">
        <section class="panel empty">
          <h2>Every number can be checked</h2>
          <ul class="plainlist">
            <li>
              <strong>Proof of the price.</strong> Each quote states an upper bound that no route
              over the pools read can beat.
            </li>
            <li>
              <strong>Your own node repeats it.</strong> Connect a wallet: its node is asked the
              same call, and a difference blocks the button.
            </li>
            <li>
              <strong>Quote equals execution.</strong> On one state the Router delivers what was
              quoted, to the wei, for plain tokens.
            </li>
          </ul>
        </section>
      </div>
    )
  const { quote } = shown
  const { BoundPanel, CurvePanel, DetailsPanel, RoutePanel } = panels
  return (
    <div class="proofs">
      <RoutePanel {...props} quote={quote} />
      <BoundPanel quote={quote} />
      <CurvePanel {...props} quote={quote} />
      <DetailsPanel {...props} shown={shown} />
    </div>
  )
}
