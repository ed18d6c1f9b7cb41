import { describe, expect, test } from 'vitest'
import { buttonOf, sheetButtonOf } from '../src/machine/button.js'
import type { Effect, Event } from '../src/machine/events.js'
import { questionOf, tokenKey } from '../src/machine/question.js'
import { reduce } from '../src/machine/reduce.js'
import type { State } from '../src/machine/State.js'
import { keyIn, me, other, quoteFor, slu, stateOf, tokens, usdc } from './machine.js'

/** Runs events one after the other; the effects of the last one. */
function run(state: State, ...events: readonly (Event | ((state: State) => Event))[]) {
  let [now, effects]: [State, readonly Effect[]] = [state, []]
  for (const event of events) {
    const next = reduce(now, typeof event === 'function' ? event(now) : event)
    now = next.state
    effects = next.effects
  }
  return { state: now, effects, sends: effects.filter((each) => each.do === 'send') }
}

const quoted =
  (options: Parameters<typeof quoteFor>[1] = {}) =>
  (state: State): Event => ({
    type: 'quoted',
    key: keyIn(state),
    quote: quoteFor(state, options),
    parameters: questionOf(state)!,
  })
/** The service has said how SLU is paid. */
const found =
  (payment: 'permit' | 'permit2' | 'approve') =>
  (state: State): Event => {
    const [paymentKey] = [...state.payments.keys()]
    if (payment === 'approve') return { type: 'paymentFound', paymentKey: paymentKey!, payment }
    const asking = { ...state, payments: new Map([[paymentKey!, payment]]) }
    const answer = { quote: quoteFor(asking), parameters: questionOf(asking)! }
    return { type: 'paymentFound', paymentKey: paymentKey!, payment, answer }
  }
const press = (state: State): Event => ({ type: 'pressed', binding: sheetButtonOf(state).binding })
const label = (state: State) => buttonOf(state).label

describe('the button', () => {
  const connected = stateOf()
  const away = stateOf({ wallet: { ...connected.wallet, chainId: 42161 } })
  const trade = (changes: Partial<State['trade']>) =>
    stateOf({ trade: { ...connected.trade, ...changes } })
  test.each<[string, State, string]>([
    ['no wallet', stateOf({ wallet: { choices: [], status: 'none' } }), 'Connect wallet'],
    ['another chain', away, 'Switch to Base'],
    ['no amount', trade({ text: ' ' }), 'Enter an amount'],
    ['an invalid amount', trade({ text: '1e18' }), 'Check the amount'],
    ['one token twice', trade({ tokenOut: slu }), 'Choose two different tokens'],
    ['an invalid recipient', trade({ recipient: '0x12' }), 'Check the recipient'],
    ['no quote yet', connected, 'Finding the best route …'],
    ['the network is cut', stateOf({ isOnline: false }), 'You are offline'],
    ['too little held', run(connected, quoted({ issue: 'balance' })).state, 'Insufficient SLU'],
    [
      'nothing allowed',
      run(connected, quoted({ issue: 'allowance' })).state,
      'Checking how to approve SLU …',
    ],
    [
      'nothing allowed, and no signature pays',
      run(connected, quoted({ issue: 'allowance' }), found('approve')).state,
      'Approve SLU',
    ],
    [
      'a permit pays',
      run(connected, quoted({ issue: 'allowance' }), found('permit')).state,
      'Review swap',
    ],
    [
      'a swap that would revert',
      run(connected, quoted({ issue: 'simulation' })).state,
      'This swap would fail',
    ],
    ['all is well', run(connected, quoted()).state, 'Review swap'],
  ])('default: %s', (_, state, expected) => {
    expect(label(state)).toBe(expected)
  })

  test('behavior: a wallet that makes several calls at once needs no approval of its own', () => {
    const state = stateOf({ wallet: { ...connected.wallet, batches: [8453] } })
    const open = run(state, quoted({ issue: 'allowance' }), press, press)
    expect(open.sends).toMatchObject([{ purpose: 'batch' }])
  })

  test('behavior: a fixed output asks for it, and is short of what the swap sells at most', () => {
    const typed: Event = { type: 'typed', side: 'out', text: '3' }
    const { state } = run(stateOf(), typed)
    expect(questionOf(state)).toMatchObject({ amountOut: 3_000_000n })
    expect(questionOf(state)).not.toHaveProperty('amountIn')
    const key = `8453 ${me.toLowerCase()} ${slu}`
    const holding = (held: bigint) =>
      label(run(stateOf({ balances: new Map([[key, held]]) }), typed, quoted()).state)
    expect([holding(1_004n), holding(1_005n)]).toEqual(['Insufficient SLU', 'Review swap'])
  })

  test('behavior: a balance that was read says it before the service does', () => {
    const balances = new Map([[`8453 ${me.toLowerCase()} ${slu}`, 5n]])
    expect(label(stateOf({ balances }))).toBe('Insufficient SLU')
  })

  test('behavior: a press of a button that has changed does nothing', () => {
    const ready = run(connected, quoted()).state
    const { binding } = buttonOf(ready)
    const changed = run(ready, { type: 'choseChain', chainId: 42161 }).state
    expect(run(changed, { type: 'pressed', binding }).state.step).toEqual({ at: 'form' })
  })

  test('behavior: a node that disagrees blocks it', () => {
    const ready = run(stateOf({ hasNode: true }), quoted(), (state) => ({
      type: 'checked',
      shownId: state.shown!.id,
      check: { kind: 'differs', block: 7, own: 1n, served: 2n },
    })).state
    expect(buttonOf(ready)).toMatchObject({ label: 'Your node disagrees', action: 'none' })
  })
})

describe('a quote', () => {
  test('behavior: one that comes late, for another trade, is not shown', () => {
    const asked = stateOf()
    const late = quoted()(asked)
    const { state } = run(asked, { type: 'typed', side: 'in', text: '200' }, late)
    expect(state.shown).toBeUndefined()
  })

  test('behavior: a change of the trade takes its number away and asks anew', () => {
    const ready = run(stateOf(), quoted()).state
    const { effects, state } = run(ready, { type: 'flipped' })
    expect(state.shown).toBeUndefined()
    expect(effects).toMatchObject([
      { do: 'ask', parameters: { in: usdc, out: slu } },
      { do: 'remember' },
    ])
  })

  test('behavior: nothing is asked while nobody looks, and it is asked again after', () => {
    const ready = run(stateOf(), quoted()).state
    const hidden = run(ready, { type: 'hid', isHidden: true })
    expect(hidden.effects).toEqual([{ do: 'stopAsking' }])
    expect(run(hidden.state, { type: 'hid', isHidden: false }).effects).toMatchObject([
      { do: 'ask' },
    ])
  })

  test('behavior: a chain that is not served is refused', () => {
    const state = stateOf()
    expect(run(state, { type: 'choseChain', chainId: 1 }).state.trade).toEqual(state.trade)
  })

  test('behavior: where USDC is not issued, the chain’s own stablecoin is bought', () => {
    const usdg = { ...tokens[2]!, chainId: 4663, symbol: 'USDG', address: slu }
    const chainNames = new Map([...stateOf().chainNames, [4663, 'Robinhood Chain']])
    const listed = new Map([...stateOf().tokens, [tokenKey(4663, slu), usdg]])
    const state = stateOf({ chainNames, tokens: listed })
    const { trade } = run(state, { type: 'choseChain', chainId: 4663 }).state
    expect(trade).toMatchObject({ chainId: 4663, tokenIn: 'ETH', tokenOut: slu })
  })

  test('behavior: choosing the other side’s token exchanges the two', () => {
    const token = tokens.find(({ address }) => address === usdc)!
    const { trade } = run(stateOf(), { type: 'picked', side: 'in', token }).state
    expect([trade.tokenIn, trade.tokenOut]).toEqual([usdc, slu])
  })
})

describe('a review', () => {
  const opened = () => run(stateOf(), quoted(), press).state
  const later =
    (ms: number) =>
    (state: State): Event => ({ type: 'ticked', now: state.now + ms })
  const refreshed =
    (options: Parameters<typeof quoteFor>[1]) =>
    (state: State): Event => ({
      type: 'refreshed',
      frozenId: state.step.at === 'review' ? state.step.frozen.id : '',
      quote: quoteFor(state, options),
      check: { kind: 'none' },
    })

  test('default: what is fresh is signed as it stands', () => {
    const { effects, state } = run(opened(), press)
    expect(effects.map((each) => each.do)).toEqual(['keep', 'send', 'stopAsking'])
    expect(state.step).toMatchObject({ at: 'wallet', purpose: 'swap', account: me })
  })

  test('behavior: the form is locked while it is open', () => {
    const state = run(
      opened(),
      { type: 'typed', side: 'out', text: '9' },
      { type: 'flipped' },
    ).state
    expect(state.trade).toEqual(opened().trade)
  })

  test('behavior: a number that is old is read again first, and signed if it is no worse', () => {
    const asked = run(opened(), later(10_000), press)
    expect(asked.effects).toMatchObject([{ do: 'refresh' }])
    const { sends } = run(asked.state, refreshed({ amountOut: 1_000_001n }))
    expect(sends).toMatchObject([{ shown: { quote: { amountOut: 1_000_001n } } }])
  })

  test('behavior: a worse number is shown with what changed, and wants another press', () => {
    const worse = run(opened(), later(10_000), press, refreshed({ amountOut: 999_000n }))
    expect(worse.sends).toEqual([])
    expect(worse.state.step).toMatchObject({
      at: 'review',
      phase: 'open',
      changed: { from: { amountOut: 1_000_000n }, to: { amountOut: 999_000n } },
    })
    expect(run(worse.state, press).sends).toHaveLength(1)
  })

  test('behavior: a fixed output that costs more is shown with what changed, and wants another press', () => {
    const typed: Event = { type: 'typed', side: 'out', text: '3' }
    const open = run(stateOf(), typed, quoted(), press).state
    const dearer = run(open, later(10_000), press, refreshed({ sold: 1_006n }))
    expect(dearer.sends).toEqual([])
    expect(dearer.state.step).toMatchObject({
      at: 'review',
      changed: { from: { amountOut: 3_000_000n, sold: 1_005n }, to: { sold: 1_006n } },
    })
    const cheaper = run(open, later(10_000), press, refreshed({ sold: 1_004n }))
    expect(cheaper.sends).toHaveLength(1)
  })

  test('behavior: a deadline that nears has it read again without a press', () => {
    const { effects } = run(opened(), later(250_000))
    expect(effects).toMatchObject([{ do: 'refresh' }])
  })

  test('behavior: above 15 % of impact consent is typed', () => {
    const state = run(stateOf(), quoted({ impactBps: 8_300 }), press).state
    expect(sheetButtonOf(state)).toMatchObject({
      action: 'none',
      label: 'Type “swap anyway” above',
    })
    const agreed = run(state, { type: 'typedConsent', text: ' Swap anyway' }).state
    expect(run(agreed, press).sends).toHaveLength(1)
  })

  test('behavior: another account or chain ends it', () => {
    const account = run(opened(), { type: 'accountsChanged', account: other }).state
    const chain = run(opened(), { type: 'chainChanged', chainId: 42161 }).state
    expect([account.step, chain.step]).toMatchObject([{ at: 'form' }, { at: 'form' }])
  })

  test('behavior: a rejection leads back with a reason, and nothing is lost', () => {
    const { state } = run(opened(), press, (now) => ({
      type: 'refused',
      sendId: now.sends,
      reason: 'You declined it.',
    }))
    expect(state.step).toMatchObject({ at: 'review', problem: 'You declined it.' })
  })

  test('behavior: a second press while the wallet is open sends nothing', () => {
    const once = run(opened(), press).state
    expect(run(once, { type: 'pressed', binding: `confirm ${once.shown!.id}` }).sends).toEqual([])
  })
})

describe('a transaction', () => {
  const signed = () =>
    run(stateOf(), quoted(), press, press, (now) => ({
      type: 'signed',
      sendId: now.sends,
      id: '0xaa',
    })).state

  test('default: pending, then done with what was delivered beside what was quoted', () => {
    const state = signed()
    expect(state.step).toEqual({ at: 'pending', activityId: '0xaa' })
    const outcome = { kind: 'done', hash: '0xaa', block: 9, delivered: '1000000' } as const
    const { state: done } = run(state, { type: 'settled', id: '0xaa', outcome })
    expect(done.step).toEqual({ at: 'done', activityId: '0xaa' })
    expect(done.activity).toMatchObject([
      { status: 'done', quoted: '1000000', delivered: '1000000', block: 9 },
    ])
  })

  test('behavior: it survives a reload', () => {
    const { effects, state } = run(stateOf(), { type: 'restored', activity: signed().activity })
    expect(effects).toMatchObject([{ do: 'watch', activity: { id: '0xaa' } }, { do: 'ask' }])
    expect(state.activity).toHaveLength(1)
  })

  test('behavior: a reload while the wallet was open is said before anything else can be sent', () => {
    const opened = { sendId: 3, chainId: 8453, account: me, words: 'swap of SLU for USDC', at: 0 }
    const { state } = run(stateOf(), { type: 'restored', activity: [], opened }, quoted())
    expect(sheetButtonOf(state).label).toBe('I have checked my wallet')
    expect(label(run(state, press, quoted()).state)).toBe('Review swap')
  })

  test('behavior: a late answer of a wallet that was given up changes nothing', () => {
    const state = signed()
    expect(run(state, { type: 'refused', sendId: 1, reason: 'late' }).state.step).toEqual(
      state.step,
    )
  })
})

describe('a permit', () => {
  const lacking = quoted({ issue: 'allowance' })
  const signing = (payment: 'permit' | 'permit2' = 'permit') =>
    run(stateOf(), lacking, found(payment), press, press)
  const answer = (state: State): Event => ({
    type: 'permitSigned',
    sendId: state.sends,
    signature: '0x5a',
  })

  test.each(['permit', 'permit2'] as const)(
    'default: %s is signed, and the swap follows with the signature',
    (payment) => {
      const asked = signing(payment)
      expect(asked.effects).toMatchObject([
        { do: 'sign', shown: { parameters: { signature: payment } } },
        { do: 'stopAsking' },
      ])
      const sent = run(asked.state, answer)
      const { shown } = asked.effects[0] as Extract<Effect, { do: 'sign' }>
      expect(sent.sends).toMatchObject([{ purpose: 'swap', signature: '0x5a' }])
      expect((sent.sends[0] as { shown: unknown }).shown).toBe(shown)
    },
  )

  test('behavior: the browser keeps no word of a permit that is not signed', () => {
    expect(signing().effects.map((effect) => effect.do)).toEqual(['sign', 'stopAsking'])
  })

  test('behavior: with too little time left, the signature is not used', () => {
    const late = (state: State): Event => ({ type: 'ticked', now: state.now + 245_000 })
    const { sends, state } = run(signing().state, late, answer)
    expect(sends).toEqual([])
    expect(state.step).toEqual({
      at: 'form',
      notice:
        'You signed after this price had run out, so nothing was sent. Review the swap again.',
    })
  })

  test('behavior: with another account, the signature is not used', () => {
    const { sends, state } = run(
      signing().state,
      { type: 'accountsChanged', account: other },
      answer,
    )
    expect(sends).toEqual([])
    expect(state.step).toEqual({
      at: 'form',
      notice: 'Your wallet has changed, so nothing was sent. Review the swap again.',
    })
  })

  test('behavior: declined, it leads back to the review', () => {
    const { state } = run(signing().state, (now) => ({
      type: 'refused',
      sendId: now.sends,
      reason: 'no',
    }))
    expect(state.step).toMatchObject({ at: 'review', problem: 'no' })
    expect(sheetButtonOf(state).label).toBe('Confirm in wallet')
  })

  test('behavior: a wallet that cannot sign it is asked for an approval, and never to sign again', () => {
    const { state } = run(signing().state, (now) => ({
      type: 'refused',
      sendId: now.sends,
      reason: 'no',
      isUnsignable: true,
    }))
    expect(state.step).toEqual({ at: 'form', notice: 'no' })
    expect(questionOf(state)).not.toHaveProperty('signature')
    const next = run(state, lacking)
    expect(label(next.state)).toBe('Approve SLU')
    expect(next.effects).toEqual([])
  })

  test('behavior: the reader may choose an approval instead', () => {
    const review = run(stateOf(), lacking, found('permit'), press)
    const { state } = run(review.state, { type: 'choseApproval' }, lacking)
    expect(label(state)).toBe('Approve SLU')
  })

  test('behavior: a Permit2 allowance that ran out makes room for the approval', () => {
    const { state } = run(stateOf(), lacking, found('permit2'), lacking, lacking)
    expect(label(state)).toBe('Approve SLU')
  })

  test('behavior: neither the native coin, nor 1.0.0, nor a wallet with batches looks for one', () => {
    const { trade, wallet } = stateOf()
    for (const changes of [
      { trade: { ...trade, tokenOut: 'ETH' } },
      { trade: { ...trade, generation: '1.0.0' as const } },
      { wallet: { ...wallet, batches: [8453] } },
    ])
      expect(run(stateOf(changes), lacking).effects).toEqual([])
  })
})
