/** The page's own views on a global, for a browser that feeds them what strangers write. */
import { render as draw } from 'preact'
import type { Extras } from '../src/effects/extras.js'
import type { Check } from '../src/machine/Check.js'
import { keyOf, questionOf, tokenKey } from '../src/machine/question.js'
import type { Activity, Shown, State, Token } from '../src/machine/State.js'
import { Card } from '../src/view/Card.js'
import { Outcome } from '../src/view/Outcome.js'
import { BoundPanel, DetailsPanel } from '../src/view/ProofPanel.js'
import { Review } from '../src/view/Review.js'
import { RoutePanel } from '../src/view/RoutePanel.js'
import { ActivitySheet, WalletChooser } from '../src/view/Sheets.js'
import type { Props } from '../src/view/store.js'
import { me, quoteFor, slu, stateOf, usdc } from './machine.js'

/** A state in which the texts of strangers are the next ones. */
function stateWith(next: () => string): { state: State; shown: Shown } {
  const token = (address: string, decimals: number): Token => ({
    ...{ chainId: 8_453, address, decimals, symbol: next(), name: next(), isListed: false },
  })
  const base = stateOf({
    tokens: new Map(
      [token(slu, 18), token(usdc, 6)].map((each) => [tokenKey(8_453, each.address), each]),
    ),
    chainNames: new Map([[8_453, next()]]),
  })
  const quote = quoteFor(base)
  const told = {
    ...quote,
    txReason: next(),
    quote: {
      ...quote.quote!,
      canExecute: false,
      reason: next(),
      impactBps: 2_000,
      upperBound: 1_100_000n,
      gapBps: 1,
    },
    issues: { simulation: { code: next(), error: next() } },
    warnings: [{ code: 'taxed_token' as const, message: next() }],
    route: {
      ...quote.route,
      legs: [
        {
          venue: next() as never,
          pool: next() as never,
          tokenIn: slu,
          tokenOut: usdc,
          key: 0n,
          share: 10n ** 18n,
        },
      ],
    },
    meta: {
      ...quote.meta!,
      call: { to: next() as never, data: next() as never, gas: next() as never, blockNumber: 7 },
    },
  } as Shown['quote']
  const question = questionOf(base)!
  const shown: Shown = {
    id: next(),
    key: keyOf(question)!,
    quote: told,
    parameters: question,
    at: base.now,
  }
  const entry: Activity = {
    ...{
      id: 'entry',
      hash: next(),
      chainId: 8_453,
      account: me,
      recipient: next(),
      purpose: 'swap',
      status: 'failed',
    },
    ...{
      at: 0,
      tokenIn: slu,
      tokenOut: usdc,
      symbolIn: next(),
      symbolOut: next(),
      amountIn: '1',
      quoted: '1',
    },
    ...{ minOut: '1', delivered: '2', reason: next() },
  }
  const check: Check = { kind: 'forged', reason: next() }
  const state: State = {
    ...base,
    shown,
    check,
    asking: {
      key: shown.key,
      problem: { code: next(), message: next(), docs: next(), mayRetry: true },
    },
    wallet: {
      ...base.wallet,
      choices: [{ id: 'wallet', name: next() }],
      problem: next(),
    },
    activity: [entry],
    step: { at: 'failed', activityId: 'entry' },
  }
  return { state, shown }
}

const none = () => {}
const extras: Extras = {
  usdOf: () => 1,
  curveOf: () => undefined,
  depthOf: () => 1,
}

function All({ names, turn }: { names: readonly string[]; turn: number }) {
  let place = turn
  // An empty text has no place of its own, and is no attack.
  const next = () => names[place++ % names.length] || ' '
  const { shown, state } = stateWith(next)
  const chain = {
    chainId: 8_453,
    name: next(),
    alias: next(),
    explorer: 'https://explorer.example',
    wrappedNative: slu,
    usdc,
  }
  const boot = {
    client: { baseUrl: '' },
    chains: [chain],
    nodes: new Map(),
    generations: new Map(),
  }
  const props = {
    state,
    extras,
    boot,
    dispatch: none,
    nodes: new Map(),
    nodeFor: none,
    onNodeNamed: none,
  } as never as Props
  const review = {
    at: 'review',
    frozen: shown,
    check: state.check,
    phase: 'open',
    willSend: false,
    typed: next(),
    problem: next(),
  } as const
  return (
    <>
      <Card
        {...props}
        state={{ ...state, step: { at: 'form', notice: next() } }}
        open={none}
        linkProblem={next()}
      />
      <RoutePanel {...props} quote={shown.quote} />
      <BoundPanel quote={shown.quote} />
      <DetailsPanel {...props} shown={shown} />
      <Review {...props} state={{ ...state, step: review }} step={review} />
      <ActivitySheet {...props} onClose={none} />
      <WalletChooser {...props} />
      <Outcome {...props} />
    </>
  )
}

/** Draws the whole of it with a few texts, each in every so many places, which turn. */
function render(names: readonly string[], turn: number, root: Element): void {
  draw(<All names={names} turn={turn} />, root)
}

/**
 * Every element with the names of its attributes, in order: what a text must not change. How many lines a drawing breaks a name
 * into depends on the name, so that equal lines in a row count once.
 */
export function shapeOf(root: Element): string {
  return [root, ...root.querySelectorAll('*')]
    .map(({ attributes, localName }) => `${localName}[${[...attributes].map(({ name }) => name)}]`)
    .filter((shape, index, all) => !shape.startsWith('tspan[') || shape !== all[index - 1])
    .join(' ')
}

Object.assign(globalThis, { render, shapeOf })
