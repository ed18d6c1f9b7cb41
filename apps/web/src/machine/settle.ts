import type { Effect, Event, Next } from './events.js'
import { minOutOf, soldOf } from './facts.js'
import { withPayment } from './payments.js'
import { paymentKeyOf, tokenOf } from './question.js'
import type { Activity, Purpose, Shown, State, Step } from './State.js'

/** Most transactions that the browser keeps. */
const maxKept = 50

/** What comes of a transaction after the wallet was asked. */
export function settle(state: State, event: Event): Next<State> {
  switch (event.type) {
    case 'signed':
      return signed(state, event)
    case 'refused':
      return refused(state, event)
    case 'settled':
      return settled(state, event)
    case 'restored': {
      const pending = event.activity.filter(({ status }) => status === 'pending')
      const watch: Effect[] = pending.map((activity) => ({ do: 'watch', activity }))
      const step: Step =
        event.opened === undefined ? state.step : { at: 'unsure', opened: event.opened }
      return {
        state: {
          ...state,
          activity: event.activity,
          step,
          sends: Math.max(state.sends, event.opened?.sendId ?? 0),
        },
        effects: watch,
      }
    }
    case 'activityChanged':
      return { state: { ...state, activity: event.activity }, effects: [] }
    default:
      return { state, effects: [] }
  }
}

function signed(state: State, event: Extract<Event, { type: 'signed' }>): Next<State> {
  const { step } = state
  if (step.at !== 'wallet' || step.sendId !== event.sendId || step.purpose === 'sign')
    return { state, effects: [] }
  const entry = activityOf(state, step.frozen, {
    purpose: step.purpose,
    id: event.id,
    isBatch: event.isBatch === true,
    account: step.account,
  })
  const activity = [entry, ...state.activity.filter(({ id }) => id !== entry.id)].slice(0, maxKept)
  return {
    state: { ...state, activity, step: { at: 'pending', activityId: entry.id } },
    effects: [
      { do: 'keep', activity, opened: undefined },
      { do: 'watch', activity: entry },
    ],
  }
}

function activityOf(
  state: State,
  { quote }: Shown,
  sent: { purpose: Purpose; id: string; isBatch: boolean; account: string },
): Activity {
  const { chainId, recipient, tokenIn, tokenOut } = state.trade
  const [given, got] = [tokenOf(state, chainId, tokenIn), tokenOf(state, chainId, tokenOut)]
  return {
    ...sent,
    ...(sent.isBatch ? {} : { hash: sent.id }),
    chainId,
    recipient: recipient === '' ? sent.account : recipient,
    status: 'pending',
    at: state.now,
    tokenIn,
    tokenOut,
    symbolIn: given.symbol,
    symbolOut: got.symbol,
    decimalsIn: given.decimals,
    decimalsOut: got.decimals,
    amountIn: String(soldOf(quote)),
    quoted: String(quote.amountOut),
    minOut: String(minOutOf(quote)),
  }
}

/** A refusal leads back to where it came from, with the reason; nothing is lost. */
function refused(state: State, event: Extract<Event, { type: 'refused' }>): Next<State> {
  const { step } = state
  if (step.at !== 'wallet' || step.sendId !== event.sendId) return { state, effects: [] }
  const { check, frozen, purpose } = step
  const isSwap = purpose === 'swap' || purpose === 'batch' || purpose === 'sign'
  const isUnsignable = event.isUnsignable === true
  const back: Step =
    isSwap && !isUnsignable
      ? {
          at: 'review',
          frozen,
          check,
          phase: 'open',
          willSend: false,
          typed: '',
          problem: event.reason,
        }
      : { at: 'form', notice: event.reason }
  const next = isUnsignable ? withPayment(state, paymentKeyOf(state), 'approve') : state
  return {
    state: { ...next, step: back },
    effects: [{ do: 'keep', activity: state.activity, opened: undefined }],
  }
}

function settled(state: State, { id, outcome }: Extract<Event, { type: 'settled' }>): Next<State> {
  const found = state.activity.find((each) => each.id === id)
  if (found === undefined || found.status !== 'pending') return { state, effects: [] }
  const { kind, ...facts } = outcome
  const entry: Activity = { ...found, ...facts, status: kind }
  const activity = state.activity.map((each) => (each.id === id ? entry : each))
  const { step } = state
  const isShown = step.at === 'pending' && step.activityId === id
  const isSwap = entry.purpose === 'swap' || entry.purpose === 'batch'
  // After an approval the form goes on to the swap by itself.
  const done: Step = isSwap || kind === 'failed' ? { at: kind, activityId: id } : { at: 'form' }
  return {
    state: {
      ...state,
      activity,
      step: isShown ? done : step,
      ...(isShown && !isSwap && { shown: undefined }),
    },
    effects: [{ do: 'keep', activity, opened: undefined }, { do: 'readBalances' }],
  }
}
