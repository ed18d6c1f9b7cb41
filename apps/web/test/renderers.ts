/** The page's own views on a global, for a browser that feeds them what strangers write. */
import type { Client, Quote } from '@sluice/sdk'
import { el, tell } from '../src/dom.js'
import type { OwnQuote } from '../src/ownNode.js'
import { quoteView } from '../src/quoteView.js'
import { routeView } from '../src/routeView.js'
import { createTokens } from '../src/tokens.js'
import { commandsView, showVerdict } from '../src/verifyView.js'

const pool = `0x${'b0'.repeat(20)}` as const
const [tokenIn, tokenOut] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const

/** A quote whose every text is `name`, even those that no honest service would fill like that. */
function quoteOf(name: string): Quote {
  return {
    ok: true,
    mode: 'preview',
    chainId: 8_453,
    tokenIn,
    tokenOut,
    amountIn: 10n,
    amountOut: 20n,
    quote: {
      grossOut: 20n,
      protocolFee: 0n,
      netOut: 20n,
      ironFloor: 19n,
      effectiveMinOut: 19n,
      impactBps: 400,
      estGas: 1n,
      hops: 1,
      legs: 1,
      canExecute: false,
      hasSurplus: false,
      feeBps: 28,
      upperBound: 21n,
      gapBps: 1,
      reason: name,
    },
    route: {
      tokenIn,
      tokenOut,
      amountIn: 10n,
      grossOut: 20n,
      impactBps: 0n,
      legs: [
        {
          venue: name as never,
          pool: name as never,
          tokenIn,
          tokenOut,
          key: 0n,
          share: 10n ** 18n,
        },
      ],
    },
    txReason: name,
    resolved: {
      in: { symbol: name, name, address: name as never, liquidityUsd: 1 },
      out: { symbol: name, name, address: tokenOut, liquidityUsd: null },
    },
    wrapRequired: true,
    unwrapAfter: true,
    meta: { quotedAt: 0, latencyMs: 0, rpcTried: 1, cache: 'miss', blockNumber: name as never },
  }
}

function render(text: string): Element {
  // An empty text has no place of its own, and is no attack.
  const name = text || ' '
  const quote = quoteOf(name)
  const known = createTokens({} as Client, new Map())
  known.note(quote)
  const tokens = { ...known, decimalsOf: () => 18 }
  const [verdict, checks, state] = [el('p'), el('div'), el('p')]
  const own = {
    quote: {
      ...quote,
      integrity: { bound: true, strict: true, arithmetic: true, witness: true },
      witness: { chainId: 1, blockNumber: 1n, timestamp: 1n, parentHash: pool },
    },
  } as unknown as OwnQuote
  showVerdict(own, quote, { verdict, checks, tokens })
  tell(state, 'bad', name, el('a', { href: name }, 'link'))
  return el(
    'section',
    {},
    ...quoteView(quote, tokens),
    ...routeView(quote, tokens),
    ...commandsView(name, name),
    verdict,
    checks,
    state,
  )
}

/** Every element with the names of its attributes, in order: what a text must not change. */
export function shapeOf(root: Element): string {
  return [root, ...root.querySelectorAll('*')]
    .map(({ attributes, localName }) => `${localName}[${[...attributes].map(({ name }) => name)}]`)
    .join(' ')
}

Object.assign(globalThis, { render, shapeOf })
