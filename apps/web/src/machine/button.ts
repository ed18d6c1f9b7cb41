import { forbids } from './Check.js'
import {
  consentImpactBps,
  consentWords,
  impactOf,
  isSeveral,
  isSwapNext,
  lacksBalance,
  nextPurpose,
  obstacleOf,
  soldOf,
} from './facts.js'
import {
  amountOf,
  balanceOf,
  currentQuote,
  isSamePair,
  keyOf,
  paymentOf,
  questionOf,
  recipientProblem,
  sidesOf,
} from './question.js'
import type { Purpose, Shown, State, Step } from './State.js'

/** What the primary button says, and the one thing that it does. */
export type Button = {
  readonly label: string
  readonly action:
    | 'connect'
    | 'switch'
    | 'approve'
    | 'review'
    | 'confirm'
    | 'finish'
    | 'retry'
    | 'none'
  /** What a press means: a press that says anything else is of a button that is gone. */
  readonly binding: string
  readonly isBusy?: boolean | undefined
}

/** The button of the form, from the state alone. While something is open over the form, it waits. */
export function buttonOf(state: State): Button {
  const { step } = state
  switch (step.at) {
    case 'form':
      return formButton(state)
    case 'review':
      return cannot('Confirm in the review')
    case 'wallet':
      return waiting(walletWords[step.purpose])
    case 'pending':
      return waiting('Waiting for the chain …')
    case 'done':
      return cannot('Swapped')
    default:
      return cannot('Not swapped')
  }
}

/** Primary button of the open dialog. */
export function sheetButtonOf(state: State): Button {
  const { step } = state
  switch (step.at) {
    case 'review':
      return confirmButton(state, step)
    case 'unsure':
      return can('finish', 'I have checked my wallet', String(step.opened.sendId))
    case 'done':
    case 'failed':
      return can('finish', step.at === 'done' ? 'New swap' : 'Back to the swap', step.activityId)
    default:
      return buttonOf(state)
  }
}

/** The button inside the review. */
function confirmButton(state: State, step: Extract<Step, { at: 'review' }>): Button {
  const { check, frozen, phase, typed } = step
  if (phase === 'refreshing') return waiting('Looking at the price once more …')
  if (forbids(check)) return cannot('Your node disagrees')
  if (!state.isOnline) return cannot('You are offline')
  const needsConsent = impactOf(frozen.quote) > consentImpactBps
  if (needsConsent && typed.trim().toLowerCase() !== consentWords)
    return cannot(`Type “${consentWords}” above`)
  return can('confirm', 'Confirm in wallet', frozen.id)
}

const walletWords: Readonly<Record<Purpose | 'sign', string>> = {
  sign: 'Sign in your wallet …',
  wrap: 'Wrap in your wallet …',
  reset_allowance: 'Approve in your wallet …',
  approve: 'Approve in your wallet …',
  swap: 'Confirm in your wallet …',
  batch: 'Confirm in your wallet …',
}

function formButton(state: State): Button {
  const { wallet } = state
  return (
    fieldsButton(state) ??
    (wallet.status === 'connected' ? undefined : connectButton(state)) ??
    chainButton(state) ??
    quoteButton(state)
  )
}

/** What is wrong in the form itself. Without a wallet the way to one stays open. */
function fieldsButton(state: State): Button | undefined {
  const amount = amountOf(state)
  if (!state.chainNames.has(state.trade.chainId)) return cannot('Choose a chain')
  if (isSamePair(state)) return cannot('Choose two different tokens')
  if (recipientProblem(state.trade.recipient) !== undefined) return cannot('Check the recipient')
  if (amount.kind === 'wrong') return cannot('Check the amount')
  if (amount.kind === 'empty' && state.wallet.status === 'connected')
    return cannot('Enter an amount')
  return undefined
}

function connectButton({ wallet }: State): Button {
  return wallet.status === 'connecting'
    ? waiting('Connect in your wallet …')
    : can('connect', 'Connect wallet', 'connect')
}

function chainButton({ chainNames, trade, wallet }: State): Button | undefined {
  if (wallet.chainId === trade.chainId) return undefined
  const name = chainNames.get(trade.chainId) ?? `chain ${trade.chainId}`
  if (wallet.isSwitching) return waiting(`Switch to ${name} in your wallet …`)
  return can('switch', `Switch to ${name}`, `switch ${trade.chainId}`)
}

function quoteButton(state: State): Button {
  const sides = sidesOf(state)
  const amount = amountOf(state)
  const held = balanceOf(state, state.trade.tokenIn)
  const short = cannot(`Insufficient ${sides.tokenIn.symbol}`)
  const isFixed = amount.kind === 'amount' && state.trade.fixed === 'in'
  if (isFixed && held !== undefined && held < amount.base) return short
  const { problem } = state.asking
  if (problem !== undefined) return problemButton(state, problem.code, problem.mayRetry === true)
  const shown = currentQuote(state)
  if (!state.isOnline) return cannot('You are offline')
  if (shown === undefined) return waiting('Finding the best route …')
  const { quote } = shown
  if (lacksBalance(quote) || (held !== undefined && held < soldOf(quote))) return short
  if (obstacleOf(quote, sides) !== undefined) return cannot('This swap would fail')
  if (forbids(state.check)) return cannot('Your node disagrees')
  if (state.check.kind === 'asking') return waiting('Your node repeats it …')
  return actButton(state, shown)
}

function actButton(state: State, { key, quote }: Shown): Button {
  const { tokenIn } = sidesOf(state)
  const purpose = nextPurpose(quote)
  if (purpose === undefined) return cannot('No transaction for this swap')
  if (isSwapNext(quote) || canBatch(state)) return can('review', 'Review swap', `review ${key}`)
  if (paymentOf(state) === 'looking') return waiting(`Checking how to approve ${tokenIn.symbol} …`)
  if (purpose === 'wrap') return can('approve', 'Wrap ETH', `wrap ${key}`)
  const label =
    purpose === 'approve' ? `Approve ${tokenIn.symbol}` : `Reset the approval of ${tokenIn.symbol}`
  return can('approve', label, `${purpose} ${key}`)
}

/** Whether the wallet takes all that remains at once. */
export function canBatch(state: State): boolean {
  const shown = currentQuote(state)
  const takes = state.wallet.batches?.includes(state.trade.chainId) === true
  return takes && shown !== undefined && isSeveral(shown.quote)
}

function problemButton(state: State, code: string, mayRetry: boolean): Button {
  if (code === 'no_route') return cannot('No route for this trade')
  if (code === 'unresolved' || code === 'bad_in' || code === 'bad_out')
    return cannot('Unknown token')
  if (!state.isOnline) return cannot('You are offline')
  const key = keyOf(questionOf(state))
  return mayRetry ? can('retry', 'Try again', `retry ${key}`) : cannot('No quote for this trade')
}

function can(action: Button['action'], label: string, binding: string): Button {
  return { label, action, binding: `${action} ${binding}` }
}

function cannot(label: string): Button {
  return { label, action: 'none', binding: 'none' }
}

function waiting(label: string): Button {
  return { label, action: 'none', binding: 'none', isBusy: true }
}
