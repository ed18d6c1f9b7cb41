import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buttonOf, sheetButtonOf } from '../src/machine/button.js'
import type { Effect, Event } from '../src/machine/events.js'
import {
  consentImpactBps,
  consentWords,
  endsAt,
  impactOf,
  minOutOf,
  nearDeadlineMs,
  soldOf,
} from '../src/machine/facts.js'
import { accountOf, questionOf } from '../src/machine/question.js'
import { freshMs, reduce } from '../src/machine/reduce.js'
import type { Shown, State } from '../src/machine/State.js'
import { keyIn, me, other, quoteFor, stateOf, tokens } from './machine.js'

type Draw = readonly [kind: number, detail: number]
type Send = Extract<Effect, { do: 'send' }>
type Sign = Extract<Effect, { do: 'sign' }>
type Looking = Extract<Effect, { do: 'findPayment' }> & { readonly state: State }

/** The world around the machine: questions asked, wallets open, quotes under way, all of it late or never. */
type World = {
  state: State
  asked: { key: string; state: State }[]
  refreshing: { frozen: Shown; state: State }[]
  open: (Send | Sign)[]
  sent: (Send | Sign)[]
  /** Questions whose payment is looked for. */
  looking: Looking[]
  /** What buttons meant that stood on the screen before. */
  drawn: string[]
  /** A swap was handed over, and the reader has not seen its end. */
  isUnderWay: boolean
}

const issues = [undefined, undefined, undefined, 'allowance', 'balance', 'simulation'] as const
const checks = [
  { kind: 'none' },
  { kind: 'same', block: 1 },
  { kind: 'asking' },
  { kind: 'differs', block: 1, own: 1n, served: 2n },
  { kind: 'forged', reason: 'x' },
] as const
const amounts = ['1', '2', '', '1e18', '.5', '0', '3,5']

function quoteAt(state: State, detail: number) {
  const impactBps = detail % 7 === 0 ? 2_000 : 10
  return quoteFor(state, {
    amountOut: 1_000_000n + BigInt(detail % 5) - 2n,
    sold: 1_003n + BigInt(detail % 4),
    block: 1 + (detail % 50),
    impactBps,
    issue: issues[detail % issues.length],
  })
}

/** What happens next; `undefined` if it cannot happen now. */
function eventOf(world: World, [kind, detail]: Draw): Event | undefined {
  const { state } = world
  const token = tokens[detail % tokens.length]!
  switch (kind) {
    case 0:
      return {
        type: 'typed',
        side: detail % 3 === 0 ? 'out' : 'in',
        text: amounts[detail % amounts.length]!,
      }
    case 1:
      return { type: 'picked', side: detail % 2 === 0 ? 'in' : 'out', token }
    case 2:
      return { type: 'flipped' }
    case 3:
      return { type: 'choseChain', chainId: [8453, 42161, 1][detail % 3]! }
    case 4:
      return { type: 'choseRecipient', text: ['', other, '0x12'][detail % 3]! }
    case 5:
      return { type: 'choseSlippage', slippageBps: [undefined, 10, 50][detail % 3] }
    case 6: {
      // A quote that comes in time, late, or for what is asked no more.
      const asked =
        world.asked[
          world.asked.length - 1 - (detail % Math.max(1, Math.min(3, world.asked.length)))
        ]
      if (asked === undefined) return undefined
      const from = { ...asked.state, now: state.now }
      return {
        type: 'quoted',
        key: asked.key,
        quote: quoteAt(from, detail),
        parameters: questionOf(asked.state)!,
      }
    }
    case 7: {
      const asked = world.asked.at(-1)
      if (asked === undefined) return undefined
      return {
        type: 'quoteFailed',
        key: asked.key,
        problem: { code: 'no_route', message: 'none', mayRetry: detail % 2 === 0 },
      }
    }
    case 8: {
      const refreshing = world.refreshing.at(-1 - (detail % 2))
      if (refreshing === undefined) return undefined
      const check = checks[detail % checks.length]!
      if (detail % 9 === 0)
        return { type: 'refreshFailed', frozenId: refreshing.frozen.id, reason: 'x' }
      return {
        type: 'refreshed',
        frozenId: refreshing.frozen.id,
        quote: quoteAt({ ...refreshing.state, now: state.now }, detail),
        check,
      }
    }
    case 9:
    case 10:
    case 11:
      return {
        type: 'pressed',
        binding: (detail % 4 === 0 ? buttonOf(state) : sheetButtonOf(state)).binding,
      }
    case 12:
      return { type: 'closed' }
    case 13:
      return { type: 'typedConsent', text: detail % 2 === 0 ? consentWords : 'no' }
    default:
      return walletEventOf(world, [kind, detail])
  }
}

function walletEventOf(world: World, [kind, detail]: Draw): Event | undefined {
  const { state } = world
  const send = world.open[detail % Math.max(1, world.open.length)]
  switch (kind) {
    case 14:
      return send && answerTo(send)
    case 15: {
      const isUnsignable = detail % 3 === 0
      return send && { type: 'refused', sendId: send.sendId, reason: 'no', isUnsignable }
    }
    case 16: {
      const entry = state.activity[detail % Math.max(1, state.activity.length)]
      const outcome =
        detail % 3 === 0
          ? ({ kind: 'failed', reason: 'x' } as const)
          : ({ kind: 'done', hash: '0x1', block: 1 } as const)
      return entry && { type: 'settled', id: entry.id, outcome }
    }
    case 17:
      return { type: 'accountsChanged', account: [me, other, undefined][detail % 3] }
    case 18:
      return { type: 'chainChanged', chainId: [8453, 8453, 42161, 1][detail % 4]! }
    case 19:
      return {
        type: 'connected',
        id: 'w',
        account: detail % 2 === 0 ? me : other,
        chainId: detail % 3 === 0 ? 42161 : 8453,
        batches: detail % 5 === 0 ? [8453] : [],
      }
    case 20:
      return { type: 'network', isOnline: detail % 2 === 0 }
    case 21:
      return { type: 'hid', isHidden: detail % 2 === 0 }
    case 22:
      return { type: 'ticked', now: state.now + [100, 1_000, 5_000, 130_000, 290_000][detail % 5]! }
    case 23: {
      const { shown } = state
      return shown && { type: 'checked', shownId: shown.id, check: checks[detail % checks.length]! }
    }
    case 24:
      return { type: 'nodeNamed', hasNode: detail % 2 === 0 }
    case 27:
      return paymentFor(world, detail)
    case 28:
      return { type: 'choseApproval' }
    case 26: {
      // A finger that comes down a moment after the screen has changed.
      const binding = world.drawn.at(-1 - (detail % Math.max(1, world.drawn.length)))
      return binding === undefined ? undefined : { type: 'pressed', binding }
    }
    default:
      return undefined
  }
}

/** The wallet does as it was asked. */
function answerTo(asked: Send | Sign): Event {
  const { sendId } = asked
  if (asked.do === 'sign') return { type: 'permitSigned', sendId, signature: `0x${sendId}` }
  return { type: 'signed', sendId, id: `0x${sendId}`, isBatch: asked.purpose === 'batch' }
}

/** What the service says of a payment: now, late, or after it was given up. */
function paymentFor({ looking, state }: World, detail: number): Event | undefined {
  const asked = looking.at(-1 - (detail % 2))
  if (asked === undefined) return undefined
  const payment = (['permit', 'permit2', 'approve'] as const)[detail % 3]!
  const { paymentKey } = asked
  if (payment === 'approve') return { type: 'paymentFound', paymentKey, payment }
  const parameters = { ...asked.parameters, signature: payment }
  const asking = { ...asked.state, now: state.now, payments: new Map([[paymentKey, payment]]) }
  if (questionOf(asking)?.signature === undefined) return undefined
  const quote = quoteFor(asking, { block: 1 + (detail % 50) })
  return { type: 'paymentFound', paymentKey, payment, answer: { quote, parameters } }
}

/** The page is loaded again: what the browser keeps comes back, everything else is gone. */
function reload(world: World): void {
  const { activity, sends, trade } = world.state
  const last = world.sent.at(-1)
  // A permit moves nothing, so the browser keeps no word of it.
  const isOpen = world.state.step.at === 'wallet' && last?.do === 'send'
  const opened = isOpen
    ? { sendId: last.sendId, chainId: 8453, account: me, words: 'swap', at: 0 }
    : undefined
  const fresh = stateOf({ trade, now: world.state.now + 1_000, sends })
  world.asked = []
  world.refreshing = []
  world.looking = []
  world.isUnderWay = false
  world.state = fresh
  apply(world, { type: 'restored', activity, opened })
}

function apply(world: World, event: Event): void {
  const before = world.state
  const { effects, state } = reduce(before, event)
  world.state = state
  const button = sheetButtonOf(before)
  if (event.type === 'pressed' && event.binding !== button.binding) {
    expect(state.step).toBe(before.step)
    expect(state.trade).toBe(before.trade)
    expect(state.wallet).toBe(before.wallet)
    expect(effects.filter(({ do: what }) => what !== 'ask' && what !== 'stopAsking')).toEqual([])
  }
  if (event.type === 'pressed' && button.action === 'finish') world.isUnderWay = false
  if (event.type === 'refused' && before.step.at === 'wallet' && state.step.at !== 'wallet')
    world.isUnderWay = false
  world.drawn = [...world.drawn, sheetButtonOf(state).binding].slice(-4)
  for (const effect of effects) {
    if (effect.do === 'ask') world.asked.push({ key: effect.key, state })
    if (effect.do === 'refresh') world.refreshing.push({ frozen: effect.frozen, state })
    if (effect.do === 'findPayment') world.looking.push({ ...effect, state })
    if (effect.do === 'send' || effect.do === 'sign') noteSend(world, effect, before)
  }
}

/** A swap that a permit pays for: of the very quote that was signed, once, from who signed it, and with time to spare. */
function noteSigned(world: World, { account, chainId, shown, signature }: Send, before: State) {
  const { step } = before
  expect(step).toMatchObject({ at: 'wallet', purpose: 'sign', account })
  if (step.at !== 'wallet') return
  expect(step.frozen).toBe(shown)
  expect(signature).toBe(`0x${step.sendId}`)
  const permit = world.sent.find(({ sendId }) => sendId === step.sendId)
  expect(permit).toMatchObject({ do: 'sign', account, chainId, shown })
  expect(world.sent.some((each) => each.do === 'send' && each.signature === signature)).toBe(false)
  expect(endsAt(shown) - world.state.now).toBeGreaterThan(nearDeadlineMs)
  world.isUnderWay = true
}

/** What is sent to the wallet is what is on the screen, never twice, never stale. */
function noteSend(world: World, effect: Send | Sign, before: State): void {
  const { state } = world
  const { account, chainId, sendId, shown } = effect
  const purpose = effect.do === 'sign' ? 'sign' : effect.purpose
  const isSigned = effect.do === 'send' && effect.signature !== undefined
  // On the screen: the frozen quote of the open wallet, for the trade, the account and the chain that stand there.
  expect(state.step).toMatchObject({ at: 'wallet', frozen: shown, sendId })
  expect(shown.key).toBe(keyIn(state))
  expect(shown.parameters).toEqual(questionOf(state))
  expect([account, chainId]).toEqual([accountOf(state), state.trade.chainId])
  expect(state.wallet.chainId).toBe(chainId)
  // Never twice: no wallet is open but the one that has just signed for it, and nothing is sent under an old name.
  if (!isSigned) expect(before.step.at).not.toBe('wallet')
  expect(world.sent.some((each) => each.sendId === sendId)).toBe(false)
  // Never stale, and no worse than what the reader last saw and pressed.
  expect(endsAt(shown)).toBeGreaterThan(state.now)
  expect(shown.parameters.signature !== undefined).toBe(isSigned || purpose === 'sign')
  // Never twice: the reader has seen what became of the swap before.
  if (isSigned || purpose !== 'approve') expect(world.isUnderWay).toBe(false)
  if (isSigned) noteSigned(world, effect, before)
  else if (purpose !== 'approve') {
    world.isUnderWay = purpose !== 'sign'
    expect(state.now - shown.at).toBeLessThan(freshMs)
    expect(before.step.at).toBe('review')
    if (before.step.at !== 'review') return
    const agreed = before.step.frozen.quote
    expect(shown.quote.amountOut).toBeGreaterThanOrEqual(agreed.amountOut)
    expect(minOutOf(shown.quote)).toBeGreaterThanOrEqual(minOutOf(agreed))
    expect(soldOf(shown.quote)).toBeLessThanOrEqual(soldOf(agreed))
    if (impactOf(shown.quote) > consentImpactBps)
      expect(before.step.typed.trim().toLowerCase()).toBe(consentWords)
    expect(['differs', 'forged']).not.toContain(
      state.step.at === 'wallet' ? state.step.check.kind : '',
    )
  }
  world.sent.push(effect)
  world.open.push(effect)
}

test('property: 10,000 sequences of whatever can happen send what is on the screen, never twice, never stale', () => {
  const counts = { sends: 0, permits: 0, signed: 0, outputs: 0, permit2: 0 }
  const sequence = fc.array(fc.tuple(fc.integer({ min: 0, max: 28 }), fc.nat(1_000)), {
    minLength: 10,
    maxLength: 60,
  })
  /** Good starts, so that many sequences come as far as a wallet: an open review, an approval to sign, none. */
  const starts: readonly (readonly Draw[])[] = [
    [
      [6, 1],
      [9, 1],
      [10, 1],
    ],
    [[6, 3]],
    // An allowance is lacking, and a permit pays, or Permit2: the review, the wallet, its signature.
    [
      [6, 3],
      [27, 0],
      [9, 1],
      [10, 1],
    ],
    [
      [6, 3],
      [27, 4],
      [9, 1],
      [10, 1],
      [14, 0],
    ],
    [],
  ]
  const sides = fc.constantFrom('in', 'out')
  fc.assert(
    fc.property(sides, fc.constantFrom(...starts), sequence, (side, start, draws) => {
      const world: World = {
        state: stateOf(),
        ...{ asked: [], refreshing: [], open: [], sent: [], looking: [], drawn: [] },
        isUnderWay: false,
      }
      apply(world, { type: 'typed', side, text: '7' })
      for (const draw of [...start, ...draws]) {
        if (draw[0] === 25) reload(world)
        const event = eventOf(world, draw)
        if (event !== undefined) apply(world, event)
        const { step } = world.state
        // A button never promises anything while a wallet is open, and a number on the screen answers the form.
        if (step.at === 'wallet') expect(sheetButtonOf(world.state).action).toBe('none')
        if (world.state.shown !== undefined && step.at === 'form')
          expect(world.state.shown.key).toBe(keyIn(world.state))
      }
      for (const each of world.sent) {
        const { amountOut, signature } = each.shown.parameters
        if (amountOut !== undefined) counts.outputs += 1
        if (signature === 'permit2') counts.permit2 += 1
        if (each.do === 'sign') counts.permits += 1
        else if (each.signature !== undefined) counts.signed += 1
        else counts.sends += 1
      }
    }),
    { numRuns: 10_000, seed: 18 },
  )
  expect(counts.sends).toBeGreaterThan(2_000)
  expect(counts.permits).toBeGreaterThan(1_000)
  expect(counts.signed).toBeGreaterThan(300)
  expect(counts.outputs).toBeGreaterThan(1_000)
  expect(counts.permit2).toBeGreaterThan(500)
}, 900_000)
