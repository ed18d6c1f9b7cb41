import { KnownTokens } from '@sluice/domain'
import { type Button, canBatch, sheetButtonOf } from './button.js'
import { forbids, unchecked } from './Check.js'
import { changeWallet } from './changeWallet.js'
import type { Effect, Event, Next } from './events.js'
import {
  endsAt,
  idOf,
  isNoWorse,
  isSwapNext,
  minOutOf,
  nearDeadlineMs,
  nextPurpose,
  soldOf,
} from './facts.js'
import { isLocked, only, same } from './next.js'
import { approveInstead, lookForPayment, withPayment } from './payments.js'
import { accountOf, currentQuote, keyOf, questionOf, sidesOf, tokenKey } from './question.js'
import type { Numbers, Purpose, Shown, State, Step } from './State.js'
import { settle } from './settle.js'

/** Numbers of one quote are not looked at for longer than this before they are read again, in milliseconds. */
export const freshMs = 4_000

/**
 * What the page becomes when something happens, and what it does about it. Pure: the whole behaviour of the page is
 * here, and nothing of it depends on what is drawn.
 */
export function reduce(state: State, event: Event): Next<State> {
  const next = step(state, event)
  return follow(state, next)
}

function step(state: State, event: Event): Next<State> {
  switch (event.type) {
    case 'typed':
    case 'picked':
    case 'flipped':
    case 'choseChain':
    case 'choseRecipient':
    case 'choseSlippage':
    case 'choseGeneration':
      return isLocked(state) ? same(state) : only(changeTrade(state, event))
    case 'pressed':
      return press(state, event.binding)
    case 'closed':
      return only(close(state))
    case 'typedConsent':
      return only(
        withStep(state, (now) => (now.at === 'review' ? { ...now, typed: event.text } : now)),
      )
    case 'retried':
      return only({ ...state, asking: { key: undefined } })
    case 'choseApproval':
      return only(approveInstead(state))
    case 'permitSigned':
      return permitSigned(state, event)
    case 'quoted':
    case 'quoteFailed':
    case 'paymentFound':
    case 'checked':
    case 'refreshed':
    case 'refreshFailed':
      return hear(state, event)
    case 'signed':
    case 'refused':
    case 'settled':
    case 'restored':
    case 'activityChanged':
      return settle(state, event)
    case 'ticked':
      return tick({ ...state, now: event.now })
    case 'hid':
      return only({ ...state, isHidden: event.isHidden })
    case 'network':
      return only({ ...state, isOnline: event.isOnline })
    case 'learned':
      return only({
        ...state,
        tokens: merged(
          state.tokens,
          event.tokens.map((each) => [tokenKey(each.chainId, each.address), each]),
        ),
      })
    case 'balancesRead':
      return only({ ...state, balances: merged(state.balances, event.balances) })
    case 'nodeNamed':
      return recheck({ ...state, hasNode: event.hasNode })
    default:
      return changeWallet(state, event)
  }
}

function changeTrade(state: State, event: Event): State {
  const { trade } = state
  const change = (fields: Partial<State['trade']>): State => ({
    ...state,
    trade: { ...trade, ...fields },
  })
  switch (event.type) {
    case 'typed':
      return change({ fixed: event.side, text: event.text.slice(0, 90) })
    case 'picked':
      return pick(state, event)
    case 'flipped':
      return change({ tokenIn: trade.tokenOut, tokenOut: trade.tokenIn })
    case 'choseChain':
      return state.chainNames.has(event.chainId) ? moveTo(state, event.chainId) : state
    case 'choseRecipient':
      return change({ recipient: event.text.trim().slice(0, 60) })
    case 'choseSlippage':
      return change({ slippageBps: event.slippageBps })
    case 'choseGeneration':
      return change({ generation: event.generation })
    default:
      return state
  }
}

function pick(state: State, { side, token }: Extract<Event, { type: 'picked' }>): State {
  const { trade } = state
  if (token.chainId !== trade.chainId) return state
  const tokens = merged(state.tokens, [[tokenKey(token.chainId, token.address), token]])
  const [mine, other] =
    side === 'in' ? (['tokenIn', 'tokenOut'] as const) : (['tokenOut', 'tokenIn'] as const)
  // The other side's token on this side means that the two change places.
  const isOther = trade[other].toLowerCase() === token.address.toLowerCase()
  const change = { [mine]: token.address, ...(isOther && { [other]: trade[mine] }) }
  return { ...state, tokens, trade: { ...trade, ...change } }
}

/** The same symbols on another chain where it lists them, else its coin and its stablecoin. */
function moveTo(state: State, chainId: number): State {
  const { trade } = state
  if (chainId === trade.chainId) return state
  const { tokenIn, tokenOut } = sidesOf(state)
  const listed = [...state.tokens.values()].filter(
    (token) => token.chainId === chainId && token.isListed,
  )
  const like = (symbol: string, otherwise: string) =>
    (
      listed.find((token) => token.symbol === symbol) ??
      listed.find((token) => token.symbol === otherwise)
    )?.address ?? otherwise
  const dollar = KnownTokens.dollarOf(chainId).symbol
  const [first, second] = [like(tokenIn.symbol, 'ETH'), like(tokenOut.symbol, dollar)]
  const pair =
    first === second
      ? { tokenIn: like('ETH', 'ETH'), tokenOut: like(dollar, dollar) }
      : { tokenIn: first, tokenOut: second }
  return { ...state, trade: { ...trade, chainId, ...pair } }
}

/** Does what the button says that is on the screen now; a press of another button does nothing. */
function press(state: State, binding: string): Next<State> {
  const button = sheetButtonOf(state)
  if (button.action === 'none' || button.binding !== binding) return same(state)
  return act(state, button)
}

function act(state: State, { action }: Button): Next<State> {
  const shown = currentQuote(state)
  switch (action) {
    case 'connect':
      return connect(state)
    case 'switch':
      return {
        state: { ...state, wallet: { ...state.wallet, isSwitching: true, problem: undefined } },
        effects: [{ do: 'switchChain', chainId: state.trade.chainId }],
      }
    case 'approve':
      return shown === undefined ? same(state) : send(state, shown, nextPurpose(shown.quote)!)
    case 'review':
      return shown === undefined ? same(state) : only(review(state, shown))
    case 'confirm':
      return confirm(state)
    case 'finish':
      return finish(state)
    case 'retry':
      return only({ ...state, asking: { key: undefined } })
    default:
      return same(state)
  }
}

function connect(state: State): Next<State> {
  const { choices } = state.wallet
  const [only1] = choices
  if (choices.length === 1 && only1 !== undefined)
    return changeWallet(state, { type: 'choseWallet', id: only1.id })
  return only({ ...state, wallet: { ...state.wallet, status: 'choosing', problem: undefined } })
}

function review(state: State, shown: Shown): State {
  const check = state.checkedId === shown.id || !state.hasNode ? state.check : askingNode
  const step = { at: 'review', frozen: shown, check, phase: 'open', willSend: false, typed: '' }
  return { ...state, step: step as Step }
}

const askingNode = { kind: 'asking' } as const

/** Signs at once what was read a moment ago; else reads it again first. */
function confirm(state: State): Next<State> {
  const { step: now } = state
  if (now.at !== 'review') return same(state)
  const { frozen } = now
  const isFresh = state.now - frozen.at < freshMs && endsAt(frozen) - state.now > nearDeadlineMs
  const isLatest = currentQuote(state)?.id === frozen.id
  if (isFresh && isLatest && now.check.kind !== 'asking')
    return send({ ...state, check: now.check }, frozen, swapPurpose(state, frozen))
  return refresh(state, now, true)
}

function refresh(
  state: State,
  now: Extract<Step, { at: 'review' }>,
  willSend: boolean,
): Next<State> {
  return {
    state: { ...state, step: { ...now, phase: 'refreshing', willSend, problem: undefined } },
    effects: [{ do: 'refresh', frozen: now.frozen }],
  }
}

/** How the swap of a review goes to the wallet: signed first, as one of several calls, or alone. */
function swapPurpose(state: State, { quote }: Shown): Purpose | 'sign' {
  if (nextPurpose(quote) === 'sign') return 'sign'
  return canBatch(state) ? 'batch' : 'swap'
}

/** The only way to a signature: what is on the screen, from the account and for the chain that are on the screen. */
function send(
  state: State,
  shown: Shown,
  purpose: Purpose | 'sign',
  signature?: string,
): Next<State> {
  const account = accountOf(state)
  const isOnScreen = keyOf(questionOf(state)) === shown.key
  const { chainId } = state.trade
  if (account === undefined || !isOnScreen || state.wallet.chainId !== chainId) return same(state)
  const check = 'check' in state.step ? state.step.check : state.check
  if (forbids(check) || endsAt(shown) <= state.now) return same(state)
  const sendId = state.sends + 1
  const { tokenIn, tokenOut } = sidesOf(state)
  const words = `${purpose === 'swap' || purpose === 'batch' ? 'swap' : purpose} of ${tokenIn.symbol} for ${tokenOut.symbol}`
  const opened = { sendId, chainId, account, words, at: state.now }
  const next: State = {
    ...state,
    sends: sendId,
    step: { at: 'wallet', sendId, account, purpose, signature, frozen: shown, check },
  }
  // A permit alone moves nothing, so a page that is loaded again has nothing to warn of.
  if (purpose === 'sign')
    return { state: next, effects: [{ do: 'sign', sendId, shown, account, chainId }] }
  return {
    state: next,
    effects: [
      { do: 'keep', activity: state.activity, opened },
      { do: 'send', sendId, purpose, shown, account, chainId, signature },
    ],
  }
}

/** The permit of the swap on the screen is signed: the swap goes to the same wallet, unless its time has come too near. */
function permitSigned(
  state: State,
  { sendId, signature }: Extract<Event, { type: 'permitSigned' }>,
): Next<State> {
  const { step: now } = state
  if (now.at !== 'wallet' || now.purpose !== 'sign' || now.sendId !== sendId) return same(state)
  const isLate = endsAt(now.frozen) - state.now <= nearDeadlineMs
  const next = isLate ? same(state) : send(state, now.frozen, 'swap', signature)
  if (next.state !== state) return next
  const why = isLate ? 'You signed after this price had run out' : 'Your wallet has changed'
  const notice = `${why}, so nothing was sent. Review the swap again.`
  return only({ ...state, step: { at: 'form', notice } })
}

/** Back to the form; after a swap the amount is gone, so that nobody makes it twice by mistake. */
function finish(state: State): Next<State> {
  const { step: now } = state
  const text = now.at === 'done' ? '' : state.trade.text
  const next: State = { ...state, step: { at: 'form' }, trade: { ...state.trade, text } }
  return {
    state: next,
    effects: [{ do: 'keep', activity: state.activity, opened: undefined }, { do: 'readBalances' }],
  }
}

function close(state: State): State {
  if (state.wallet.status === 'choosing')
    return { ...state, wallet: { ...state.wallet, status: 'none' } }
  if (state.step.at === 'pending') return leave(state, state.step.activityId)
  return state.step.at === 'review' ? { ...state, step: { at: 'form' } } : state
}

/** Leaves a swap to the chain. The amount goes, so that nobody makes it twice by mistake; an approval is waited for. */
function leave(state: State, activityId: string): State {
  const purpose = state.activity.find(({ id }) => id === activityId)?.purpose
  if (purpose !== 'swap' && purpose !== 'batch') return state
  return { ...state, step: { at: 'form' }, trade: { ...state.trade, text: '' } }
}

function hear(state: State, event: Event): Next<State> {
  switch (event.type) {
    case 'quoted': {
      if (event.key !== keyOf(questionOf(state))) return same(state)
      const answers = state.answers + 1
      const shown: Shown = { ...event, id: idOf(event.key, event.quote, answers), at: state.now }
      const next = { ...state, answers, shown, asking: { key: event.key } }
      const looked = lookForPayment(next, shown)
      const { effects, state: checked } = recheck(looked.state)
      return { state: checked, effects: [...looked.effects, ...effects] }
    }
    case 'paymentFound':
      return paymentFound(state, event)
    case 'quoteFailed':
      if (event.key !== keyOf(questionOf(state))) return same(state)
      // A number that cannot be renewed is not shown as if it were one.
      return only({
        ...state,
        shown: undefined,
        check: unchecked,
        checkedId: undefined,
        asking: { key: event.key, problem: event.problem },
      })
    case 'checked':
      return only(noteCheck(state, event))
    case 'refreshed':
      return refreshed(state, event)
    case 'refreshFailed':
      return only(
        withStep(state, (now) =>
          now.at === 'review' && now.phase === 'refreshing' && now.frozen.id === event.frozenId
            ? { ...now, phase: 'open', willSend: false, problem: event.reason }
            : now,
        ),
      )
    default:
      return same(state)
  }
}

function paymentFound(
  state: State,
  { answer, payment, paymentKey }: Extract<Event, { type: 'paymentFound' }>,
): Next<State> {
  if (state.payments.get(paymentKey) !== 'looking') return same(state)
  // An open review is of the question without it, so it is looked for again later.
  if (state.step.at !== 'form') return only(withPayment(state, paymentKey, undefined))
  const next = withPayment(state, paymentKey, payment)
  const key = keyOf(questionOf(next))
  if (answer === undefined || key === undefined || keyOf(answer.parameters) !== key)
    return only(next)
  return hear(next, { type: 'quoted', key, ...answer })
}

function noteCheck(state: State, { check, shownId }: Extract<Event, { type: 'checked' }>): State {
  const { step: now } = state
  const next = now.at === 'review' && now.frozen.id === shownId ? { ...now, check } : now
  const isOfScreen = state.shown?.id === shownId
  return { ...state, step: next, ...(isOfScreen && { check, checkedId: shownId }) }
}

/** Has the reader's node repeat the quote on the screen; what it said of the block before stands until it has. */
function recheck(state: State): Next<State> {
  const { check, shown } = state
  if (shown === undefined || !state.hasNode)
    return only({ ...state, check: unchecked, checkedId: undefined })
  const kept = check.kind === 'none' ? ({ kind: 'asking' } as const) : check
  return { state: { ...state, check: kept }, effects: [{ do: 'check', shown }] }
}

/** The quote of the review, read again: signed if it is no worse than what was agreed to, else shown with what changed. */
function refreshed(state: State, event: Extract<Event, { type: 'refreshed' }>): Next<State> {
  const { step: now } = state
  if (now.at !== 'review' || now.phase !== 'refreshing' || now.frozen.id !== event.frozenId)
    return same(state)
  const { check, quote } = event
  const { frozen } = now
  const answers = state.answers + 1
  const next: Shown = { ...frozen, quote, id: idOf(frozen.key, quote, answers), at: state.now }
  const changed = { from: numbersOf(now.changed?.from ?? frozen.quote), to: numbersOf(quote) }
  const isChanged =
    changed.from.amountOut !== changed.to.amountOut ||
    changed.from.minOut !== changed.to.minOut ||
    changed.from.sold !== changed.to.sold
  const base = { ...state, answers, shown: next, check, checkedId: next.id }
  const review: Step = {
    ...now,
    frozen: next,
    check,
    phase: 'open',
    willSend: false,
    problem: undefined,
    ...(isChanged && { changed }),
  }
  const opened: State = { ...base, step: review }
  const purpose = nextPurpose(quote)
  if (purpose === undefined)
    return only({ ...base, step: { at: 'form', notice: 'The swap cannot be made any more.' } })
  const isOneCall = isSwapNext(quote)
  if (!isOneCall && !canBatch(opened))
    return only({ ...base, step: { at: 'form', notice: 'The approval is no longer enough.' } })
  if (!now.willSend || !isNoWorse(quote, frozen.quote) || forbids(check)) return only(opened)
  return send(opened, next, swapPurpose(opened, next))
}

function numbersOf(quote: Shown['quote'] | Numbers): Numbers {
  if ('minOut' in quote) return quote
  return { amountOut: quote.amountOut, minOut: minOutOf(quote), sold: soldOf(quote) }
}

/** Time passes: a review whose deadline nears is read again. */
function tick(state: State): Next<State> {
  const { step: now } = state
  const isNear =
    now.at === 'review' && now.phase === 'open' && endsAt(now.frozen) - state.now < nearDeadlineMs
  return isNear && state.isOnline && now.problem === undefined
    ? refresh(state, now, false)
    : only(state)
}

/** Whatever changed the question has it asked anew; nothing is asked while nobody looks. */
function follow(before: State, { effects, state }: Next<State>): Next<State> {
  const question = questionOf(state)
  const key = keyOf(question)
  const isQuiet =
    state.isHidden ||
    !state.isOnline ||
    state.step.at === 'wallet' ||
    state.step.at === 'pending' ||
    state.step.at === 'done'
  const wasQuiet =
    before.isHidden ||
    !before.isOnline ||
    before.step.at === 'wallet' ||
    before.step.at === 'pending' ||
    before.step.at === 'done'
  const isNew = key !== keyOf(questionOf(before)) || state.asking.key === undefined
  const trade = before.trade === state.trade ? [] : [{ do: 'remember' } as const]
  const dropped =
    state.shown !== undefined && state.shown.key !== key
      ? { ...state, shown: undefined, check: unchecked, checkedId: undefined }
      : state
  if (question === undefined || key === undefined) {
    const stops: Effect[] = state.asking.key === undefined && !isNew ? [] : [{ do: 'stopAsking' }]
    return {
      state: { ...dropped, asking: { key: undefined } },
      effects: [...effects, ...stops, ...trade],
    }
  }
  if (isQuiet)
    return {
      state: dropped,
      effects: [...effects, ...(wasQuiet ? [] : [{ do: 'stopAsking' } as const]), ...trade],
    }
  if (!isNew && !wasQuiet) return { state: dropped, effects: [...effects, ...trade] }
  return {
    state: { ...dropped, asking: { key } },
    effects: [...effects, { do: 'ask', key, parameters: question }, ...trade],
  }
}

function withStep(state: State, change: (step: Step) => Step): State {
  return { ...state, step: change(state.step) }
}

function merged<key, value>(
  map: ReadonlyMap<key, value>,
  entries: Iterable<readonly [key, value]>,
): ReadonlyMap<key, value> {
  return new Map([...map, ...entries])
}
