import { Addresses } from '@sluice/domain'
import { percentText } from '../format.js'
import { canBatch, sheetButtonOf } from '../machine/button.js'
import {
  consentImpactBps,
  consentWords,
  endsAt,
  impactOf,
  minOutOf,
  soldOf,
  warnImpactBps,
} from '../machine/facts.js'
import { currentQuote, sidesOf } from '../machine/question.js'
import type { Step } from '../machine/State.js'
import { Badge } from './Badge.js'
import { amountText, changeText } from './numbers.js'
import { Coin, Note, plain, Sheet } from './parts.js'
import type { Props } from './store.js'

type Open = Extract<Step, { at: 'review' }>

/** The frozen quote: exactly what will be signed, and nothing else. */
export function Review(props: Props & { step: Open }) {
  const { dispatch, state, step } = props
  const { frozen } = step
  const { tokenIn, tokenOut } = sidesOf(state)
  const { quote } = frozen
  const button = sheetButtonOf(state)
  const impact = impactOf(quote)
  const isRefreshing = step.phase === 'refreshing'
  return (
    <Sheet
      title="Review your swap"
      onClose={isRefreshing ? undefined : () => dispatch({ type: 'closed' })}
    >
      <div class="review-pair">
        <p>
          <Coin token={tokenIn} size={36} />
          <span>
            You pay{' '}
            <strong title={`${soldOf(quote)} base units`}>
              {amountText(soldOf(quote), tokenIn)} {plain(tokenIn.symbol, 12)}
            </strong>
          </span>
        </p>
        <p>
          <Coin token={tokenOut} size={36} />
          <span>
            You receive{' '}
            <strong title={`${quote.amountOut} base units`}>
              {amountText(quote.amountOut, tokenOut)} {plain(tokenOut.symbol, 12)}
            </strong>
          </span>
        </p>
      </div>
      <ReviewFacts {...props} />
      <Changes {...props} />
      {impact > warnImpactBps && (
        <Note kind="bad">
          High price impact: the size of this trade alone costs {percentText(impact)}.
        </Note>
      )}
      {(quote.warnings ?? [])
        .filter(({ code }) => code !== 'high_impact')
        .map(({ code, message }) => (
          <Note key={code} kind="unsure">
            {message.replaceAll('`', '')}
          </Note>
        ))}
      {impact > consentImpactBps && (
        <label class="consent">
          Type “{consentWords}” to go on
          <input
            name="consent"
            autocomplete="off"
            spellcheck={false}
            value={step.typed}
            onInput={(event) =>
              dispatch({ type: 'typedConsent', text: (event.target as HTMLInputElement).value })
            }
          />
        </label>
      )}
      {step.problem !== undefined && <Note kind="bad">{step.problem}</Note>}
      <button
        type="button"
        class="primary"
        disabled={button.action === 'none'}
        aria-busy={button.isBusy === true}
        onClick={() => dispatch({ type: 'pressed', binding: button.binding })}
      >
        {button.isBusy && <span class="spinner" aria-hidden="true" />}
        {button.label}
      </button>
    </Sheet>
  )
}

function ReviewFacts({ boot, dispatch, state, step }: Props & { step: Open }) {
  const { frozen } = step
  const { quote } = frozen
  const { tokenIn, tokenOut } = sidesOf(state)
  const { recipient } = state.trade
  const least = minOutOf(quote)
  const chain = boot.chains.find(({ chainId }) => chainId === quote.chainId)
  const seconds = Math.max(0, Math.round((endsAt(frozen) - state.now) / 1_000))
  return (
    <dl class="facts-list">
      <Fact name="At least">
        {amountText(least, tokenOut)} {plain(tokenOut.symbol, 12)}{' '}
        <span class="hint">{changeText(quote.amountOut, least)}</span>
      </Fact>
      {soldOf(quote) !== quote.amountIn && (
        <Fact name="At this price">
          {amountText(quote.amountIn, tokenIn)} {plain(tokenIn.symbol, 12)}; the rest buys more{' '}
          {plain(tokenOut.symbol, 12)}
        </Fact>
      )}
      <Fact name="Price impact">{percentText(impactOf(quote))}</Fact>
      <Fact name="Fee">{percentText(quote.quote?.feeBps ?? 0)}, counted already</Fact>
      {quote.quote?.integratorFeeBps !== undefined && (
        <Fact name="Fee of the integrator">
          {percentText(quote.quote.integratorFeeBps)}, counted already{' '}
          <code>{Addresses.shorten(quote.quote.integrator ?? '')}</code>
        </Fact>
      )}
      <Fact name="Chain">{chain?.name ?? quote.chainId}</Fact>
      {recipient !== '' && (
        <Fact name="Paid to">
          <code class="warned">{recipient}</code>
        </Fact>
      )}
      <Fact name="From">
        <code>{Addresses.shorten(state.wallet.account ?? '')}</code>
      </Fact>
      {quote.permit !== undefined && (
        <Fact name="Approval">
          by signature, for exactly this amount{' '}
          <button
            type="button"
            class="inline"
            disabled={step.phase === 'refreshing'}
            onClick={() => dispatch({ type: 'choseApproval' })}
          >
            Use a transaction instead
          </button>
        </Fact>
      )}
      {canBatch(state) && (
        <Fact name="In one go">
          {(quote.calls ?? []).map(({ purpose }) => purpose.replace('_', ' ')).join(', then ')}
        </Fact>
      )}
      <Fact name="Price">
        {step.check.kind !== 'same' && `block ${quote.meta?.blockNumber ?? '?'}`}
        <Badge check={step.check} token={tokenOut} />
      </Fact>
      <Fact name="Good for">{seconds} s, then it is read again</Fact>
    </dl>
  )
}

function Fact({ children, name }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What changed since the review was opened, and what newer blocks say. */
function Changes({ state, step }: Props & { step: Open }) {
  const { tokenIn, tokenOut } = sidesOf(state)
  const symbol = plain(tokenOut.symbol, 12)
  const { changed, frozen } = step
  const latest = currentQuote(state)
  if (changed !== undefined && changed.from.sold !== changed.to.sold)
    return (
      <Note kind="unsure">
        The price has changed since: you pay {amountText(changed.to.sold, tokenIn)}{' '}
        {plain(tokenIn.symbol, 12)} now ({changeText(changed.from.sold, changed.to.sold)}), it was{' '}
        {amountText(changed.from.sold, tokenIn)}. Confirm again to take it.
      </Note>
    )
  if (changed !== undefined)
    return (
      <Note kind="unsure">
        The price has changed since: you receive {amountText(changed.to.amountOut, tokenOut)}{' '}
        {symbol} now ({changeText(changed.from.amountOut, changed.to.amountOut)}), it was{' '}
        {amountText(changed.from.amountOut, tokenOut)}. Confirm again to take it.
      </Note>
    )
  if (
    latest !== undefined &&
    latest.id !== frozen.id &&
    latest.quote.amountOut !== frozen.quote.amountOut
  )
    return (
      <Note kind="unsure">
        Block {latest.quote.meta?.blockNumber ?? '?'} says{' '}
        {amountText(latest.quote.amountOut, tokenOut)} {symbol} (
        {changeText(frozen.quote.amountOut, latest.quote.amountOut)}). The price is read again when
        you confirm.
      </Note>
    )
  return null
}
