import { Addresses, Decimals } from '@sluice/domain'
import type { Quote } from '@sluice/sdk'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { safeLink } from '../dom.js'
import { percentText, rateText } from '../format.js'
import { buttonOf } from '../machine/button.js'
import { impactOf, minOutOf, obstacleOf, soldOf, warnImpactBps } from '../machine/facts.js'
import { isLocked } from '../machine/next.js'
import {
  amountOf,
  balanceOf,
  currentQuote,
  questionOf,
  recipientProblem,
  sidesOf,
} from '../machine/question.js'
import { nativeCoin, type Side, type State, type Token } from '../machine/State.js'
import { Badge } from './Badge.js'
import { agoText, amountText, changeText, glanceText, usdText } from './numbers.js'
import { Coin, Icon, Note, plain } from './parts.js'
import type { Props } from './store.js'

export type Opening = 'in' | 'out' | 'settings' | 'activity' | 'account' | undefined

/** Gas that stays behind when all of the native coin is sold: a swap costs about this much. */
const keptGas = 700_000n

export function Card(
  props: Props & { open: (what: Opening) => void; linkProblem: string | undefined },
) {
  const { dispatch, open, state } = props
  const shown = currentQuote(state)
  const button = buttonOf(state)
  const { notice } = state.step.at === 'form' ? state.step : { notice: undefined }
  return (
    <section class="panel swapcard" aria-labelledby="swap-title">
      <CardTop {...props} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          dispatch({ type: 'pressed', binding: button.binding })
        }}
      >
        <fieldset class="bare" disabled={isLocked(state)}>
          <legend class="unseen">Trade</legend>
          <GiveRow {...props} quote={shown?.quote} />
          <div class="flipline">
            <button
              type="button"
              class="flipper"
              aria-label="Exchange the two tokens"
              onClick={() => dispatch({ type: 'flipped' })}
            >
              <Icon name="flip" />
            </button>
          </div>
          <GetRow {...props} quote={shown?.quote} />
        </fieldset>
        <Rate {...props} quote={shown?.quote} />
        <Figures {...props} quote={shown?.quote} />
        <div class="notes">
          {props.linkProblem !== undefined && <Note kind="bad">{props.linkProblem}</Note>}
          {notice !== undefined && <Note kind="unsure">{notice}</Note>}
          {state.wallet.problem !== undefined && <Note kind="unsure">{state.wallet.problem}</Note>}
          <Warnings {...props} quote={shown?.quote} />
        </div>
        <div class="primary-line">
          <button
            type="submit"
            class="primary"
            disabled={button.action === 'none'}
            aria-busy={button.isBusy === true}
          >
            {button.isBusy && <span class="spinner" aria-hidden="true" />}
            {button.label}
          </button>
        </div>
      </form>
      <Freshness {...props} open={open} />
    </section>
  )
}

function CardTop({ boot, dispatch, open, state }: Parameters<typeof Card>[0]) {
  const { account, status } = state.wallet
  const pending = state.activity.filter((each) => each.status === 'pending').length
  return (
    <div class="cardtop">
      <h1 id="swap-title">Swap</h1>
      <label class="chainpick">
        <span class="unseen">Chain</span>
        <select
          name="chain"
          value={String(state.trade.chainId)}
          disabled={isLocked(state)}
          onChange={(event) =>
            dispatch({
              type: 'choseChain',
              chainId: Number((event.target as HTMLSelectElement).value),
            })
          }
        >
          {!state.chainNames.has(state.trade.chainId) && <option value="0">Choose a chain</option>}
          {boot.chains.map(({ chainId, name }) => (
            <option key={chainId} value={String(chainId)}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </label>
      <span class="grow" />
      {status === 'connected' && account !== undefined && (
        <button type="button" class="chip" onClick={() => open('account')}>
          <span class="dot" aria-hidden="true" />
          <span class="unseen">Account </span>
          {Addresses.shorten(account)}
        </button>
      )}
      {state.activity.length > 0 && (
        <button
          type="button"
          class="ghost"
          aria-label={`Activity, ${pending} pending`}
          onClick={() => open('activity')}
        >
          <Icon name="wallet" />
          {pending > 0 && <span class="count">{pending}</span>}
        </button>
      )}
      <button type="button" class="ghost" aria-label="Settings" onClick={() => open('settings')}>
        <Icon name="gear" />
      </button>
    </div>
  )
}

function GiveRow(props: Parameters<typeof Card>[0] & { quote: Quote | undefined }) {
  const { dispatch, quote, state } = props
  const held = balanceOf(state, state.trade.tokenIn)
  const { tokenIn } = sidesOf(state)
  const max = (
    <Held
      held={held}
      token={tokenIn}
      onMax={(text) => dispatch({ type: 'typed', side: 'in', text })}
    />
  )
  return <AmountRow {...props} side="in" base={quote && soldOf(quote)} held={max} />
}

function GetRow(props: Parameters<typeof Card>[0] & { quote: Quote | undefined }) {
  const { quote, state } = props
  const { tokenOut } = sidesOf(state)
  const held = balanceOf(state, state.trade.tokenOut)
  const balance = held !== undefined && tokenOut.decimals !== undefined && (
    <span class="held">Balance {glanceText(held, tokenOut)}</span>
  )
  return (
    <>
      <AmountRow {...props} side="out" base={quote?.amountOut} held={balance} />
      <output class="unseen" for="amount receive" aria-label="You receive">
        {isAsking(props) ? '…' : quote === undefined ? '0' : amountText(quote.amountOut, tokenOut)}
      </output>
    </>
  )
}

function isAsking({ quote, state }: { quote: Quote | undefined; state: State }): boolean {
  const isAsked = questionOf(state) !== undefined && state.isOnline
  return quote === undefined && isAsked && state.asking.problem === undefined
}

const rows = {
  in: { id: 'amount', title: 'You pay', chip: 'You pay with' },
  out: { id: 'receive', title: 'You receive', chip: 'You receive' },
} as const

/** One side of the trade. Either amount can be typed; the quote says the other. */
function AmountRow(
  props: Parameters<typeof Card>[0] & {
    quote: Quote | undefined
    side: Side
    base: bigint | undefined
    held: ComponentChildren
  },
) {
  const { base, dispatch, extras, held, open, quote, side, state } = props
  const { chip, id, title } = rows[side]
  const token = side === 'in' ? sidesOf(state).tokenIn : sidesOf(state).tokenOut
  const isFixed = state.trade.fixed === side
  const amount = amountOf(state)
  const quoted = base === undefined ? '' : amountText(base, token)
  const text = isFixed ? state.trade.text : quoted
  const problem = isFixed && amount.kind === 'wrong' ? amount.reason : undefined
  const meant = isFixed && amount.kind === 'amount' ? amount.base : base
  const usd = usdText(meant, token, extras.usdOf(token))
  const padded = side === 'in' && !isFixed && quote !== undefined ? paddingWords(quote, token) : ''
  return (
    <div class={`side ${problem === undefined ? '' : 'wrong'}`}>
      <div class="side-top">
        <label for={id}>{title}</label>
        {held}
      </div>
      <div class="side-main">
        <input
          id={id}
          name={id}
          class={`big ${sizeOf(text)}`}
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          placeholder={!isFixed && isAsking(props) ? '…' : '0'}
          value={text}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-hint`}
          onInput={(event) =>
            dispatch({ type: 'typed', side, text: (event.target as HTMLInputElement).value })
          }
        />
        <TokenChip label={chip} token={token} onClick={() => open(side)} />
      </div>
      <p class="hint" id={`${id}-hint`}>
        {problem ?? [usd, padded].filter(Boolean).join(', ')}
      </p>
    </div>
  )
}

/** A fixed output is bought with a little more than it costs now; what is over comes out as more of it. */
function paddingWords({ amountIn, exactOutput }: Quote, token: Token): string {
  if (exactOutput === undefined || exactOutput.amountInMax === amountIn) return ''
  return `${amountText(amountIn, token)} at this price`
}

function Held({
  held,
  onMax,
  token,
}: {
  held: bigint | undefined
  token: Token
  onMax: (text: string) => void
}) {
  if (held === undefined || token.decimals === undefined) return <span class="hint" />
  const kept = token.address === nativeCoin ? keptGas * 3_000_000_000n : 0n
  const most = held > kept ? held - kept : 0n
  return (
    <span class="held">
      Balance {glanceText(held, token)}
      <button
        type="button"
        class="max"
        disabled={most === 0n}
        onClick={() => onMax(Decimals.toHuman(most, token.decimals!))}
      >
        Max
      </button>
    </span>
  )
}

/** Long amounts are written smaller, so that all of their digits are seen. */
function sizeOf({ length }: string): string {
  return length > 14 ? 'longer' : length > 10 ? 'long' : length > 7 ? 'some' : ''
}

function TokenChip({
  label,
  onClick,
  token,
}: {
  label: string
  token: Token
  onClick: () => void
}) {
  return (
    <button type="button" class="tokenchip" onClick={onClick}>
      <Coin token={token} />
      <span class="unseen">{label} </span>
      <span class="symbol">{plain(token.symbol, 12)}</span>
      <span class="unseen">: choose another token</span>
      <Icon name="down" />
    </button>
  )
}

function Rate({ quote, state }: Props & { quote: Quote | undefined }) {
  const { tokenIn, tokenOut } = sidesOf(state)
  const isKnown = tokenIn.decimals !== undefined && tokenOut.decimals !== undefined
  const rate =
    quote !== undefined && isKnown && quote.amountOut > 0n
      ? `1 ${plain(tokenIn.symbol, 12)} = ${rateText({ base: quote.amountIn, decimals: tokenIn.decimals! }, { base: quote.amountOut, decimals: tokenOut.decimals! })} ${plain(tokenOut.symbol, 12)}`
      : ''
  return (
    <div class="rateline">
      <span class="number">{rate}</span>
      {quote !== undefined && <Badge check={state.check} token={tokenOut} />}
    </div>
  )
}

/** The three numbers that decide: what comes, what comes at least, what it costs. */
function Figures({ extras, quote, state }: Props & { quote: Quote | undefined }) {
  const { tokenOut } = sidesOf(state)
  const numbers = quote?.quote
  const usd = extras.usdOf(tokenOut)
  const gas = typeof numbers?.gasCostOut === 'bigint' ? numbers.gasCostOut : undefined
  const cost = numbers && numbers.protocolFee + (numbers.integratorFee ?? 0n) + (gas ?? 0n)
  const least = quote && minOutOf(quote)
  const symbol = plain(tokenOut.symbol, 12)
  return (
    <dl class="figures">
      <Figure
        name="You receive"
        value={quote && glanceText(quote.amountOut, tokenOut)}
        unit={symbol}
        why={usdText(quote?.amountOut, tokenOut, usd)}
        exact={quote?.amountOut}
      />
      <Figure
        name="At least"
        value={least === undefined ? undefined : glanceText(least, tokenOut)}
        unit={symbol}
        why={
          quote && least !== undefined
            ? `${changeText(quote.amountOut, least)}, or it is undone`
            : ''
        }
        exact={least}
      />
      <Figure
        name="Total cost"
        value={cost === undefined ? undefined : glanceText(cost, tokenOut)}
        unit={symbol}
        why={costWords(quote, gas, usdText(cost, tokenOut, usd))}
        exact={cost}
      />
    </dl>
  )
}

function costWords(quote: Quote | undefined, gas: bigint | undefined, usd: string): string {
  if (quote?.quote === undefined) return ''
  const { feeBps, integratorFeeBps = 0 } = quote.quote
  const fee = `fee ${percentText(feeBps + integratorFeeBps)}`
  return [usd, gas === undefined ? `${fee}; gas not priced` : `${fee} and gas`]
    .filter(Boolean)
    .join(', ')
}

function Figure({
  exact,
  name,
  unit,
  value,
  why,
}: {
  name: string
  unit: string
  value: string | undefined
  why: string
  exact: bigint | undefined
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number" title={exact === undefined ? undefined : `${exact} base units`}>
        {value ?? '–'} {value !== undefined && <span class="unit">{unit}</span>}
      </dd>
      <dd class="why">{why}</dd>
    </div>
  )
}

/** What to know before anything is approved or signed. */
function Warnings({ dispatch, quote, state }: Props & { quote: Quote | undefined }) {
  const { asking, check } = state
  const sides = sidesOf(state)
  const impact = quote === undefined ? 0 : impactOf(quote)
  const bad = recipientProblem(state.trade.recipient)
  const obstacle = quote && obstacleOf(quote, sides)
  const pending = state.activity.filter(isPendingSwap(state))
  return (
    <>
      {pending.length > 0 && (
        <Note kind="unsure">
          {pending.length === 1 ? 'A swap' : `${pending.length} swaps`} of this account{' '}
          {pending.length === 1 ? 'is' : 'are'} on the way: see Activity before you swap again.
        </Note>
      )}
      {bad !== undefined && <Note kind="bad">{bad}</Note>}
      {asking.problem !== undefined && (
        <ProblemNote problem={asking.problem} onRetry={() => dispatch({ type: 'retried' })} />
      )}
      {obstacle !== undefined && <Note kind="bad">{plain(obstacle, 300)}</Note>}
      {check.kind === 'differs' && (
        <Note kind="bad">
          Do not sign this. On block {check.block} your node computes{' '}
          {amountText(check.own, sides.tokenOut)}, the service says{' '}
          {amountText(check.served, sides.tokenOut)} {plain(sides.tokenOut.symbol, 12)}.
        </Note>
      )}
      {check.kind === 'forged' && <Note kind="bad">Do not sign this. {check.reason}</Note>}
      {impact > warnImpactBps && (
        <Note kind="bad">
          High price impact: the size of this trade alone costs {percentText(impact)}. A smaller
          amount gets a better price.
        </Note>
      )}
      {(quote?.warnings ?? [])
        .filter(({ code }) => code !== 'high_impact')
        .map(({ code, message }) => (
          <Note key={code} kind="unsure">
            {message.replaceAll('`', '')}
          </Note>
        ))}
      {[sides.tokenIn, sides.tokenOut]
        .filter(({ address, isListed }) => !isListed && Addresses.hasShape(address))
        .map((token) => (
          <Note key={token.address} kind="unsure">
            {plain(token.symbol, 12)} is on no list of this service. Names prove nothing: compare
            the address <code>{token.address}</code>.
          </Note>
        ))}
    </>
  )
}

/** Whether a swap of the connected account waits for the chain while the form is open. */
function isPendingSwap({ step, wallet }: State) {
  return ({ account, purpose, status }: State['activity'][number]) =>
    step.at === 'form' &&
    status === 'pending' &&
    (purpose === 'swap' || purpose === 'batch') &&
    account.toLowerCase() === wallet.account?.toLowerCase()
}

function ProblemNote({
  onRetry,
  problem,
}: {
  problem: NonNullable<State['asking']['problem']>
  onRetry: () => void
}) {
  return (
    <Note kind={problem.code === 'rpc_required' ? 'unsure' : 'bad'}>
      {problem.message}{' '}
      {problem.docs !== undefined && (
        <a href={safeLink(problem.docs)} target="_blank" rel="noreferrer">
          What {problem.code} means
        </a>
      )}{' '}
      {problem.mayRetry === true && (
        <button type="button" class="inline" onClick={onRetry}>
          Try again
        </button>
      )}
    </Note>
  )
}

function Freshness({ state }: Props & { open: (what: Opening) => void }) {
  const shown = currentQuote(state)
  const { isHidden, isOnline } = state
  const block = shown?.quote.meta?.blockNumber
  const words = !isOnline
    ? 'Offline: nothing is asked until the network is back.'
    : isHidden
      ? 'Paused while nobody looks.'
      : shown === undefined
        ? ' '
        : `Block ${block ?? '?'}, ${agoText(state.now - shown.at)}`
  return <p class="freshness hint">{words}</p>
}

/** Whether a part is open, kept through every new number. */
export function useOpening() {
  return useState<Opening>(undefined)
}
