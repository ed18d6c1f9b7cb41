import type { Quote } from '@sluice/sdk'
import { el, tell } from './dom.js'
import { amountText } from './format.js'
import { compare, type OwnQuote } from './ownNode.js'
import type { Tokens } from './tokens.js'

const meanings: Readonly<Record<string, string>> = {
  bound:
    'The answer is to this very question: the call was derived again from the registry and what you asked.',
  strict: 'The answer is the canonical encoding, to the last byte.',
  arithmetic: 'Fee, floor, output and bound were computed again here.',
  witness: 'The answer names its block, and that block is recent.',
}

/** Says what the reader's own node answered, and how it stands to the service's quote. */
export function showVerdict(
  { quote }: OwnQuote,
  served: Quote | undefined,
  { checks, tokens, verdict }: { verdict: Element; checks: Element; tokens: Tokens },
): void {
  const { chainId, tokenOut, witness } = quote
  const amount = amountText(
    quote.amountOut,
    tokens.decimalsOf(chainId, tokenOut),
    tokens.nameOf(chainId, tokenOut),
  )
  const said = `Your node quotes ${amount} at block ${witness?.blockNumber ?? '?'}`
  switch (compare(quote, served)) {
    case 'same':
      tell(verdict, 'good', `${said}: the same number as the service's, to the wei.`)
      break
    case 'alone':
      tell(verdict, 'good', `${said}.`)
      break
    case 'other block':
      tell(
        verdict,
        'unsure',
        `${said}; the service quoted on another block, so the numbers may differ.`,
      )
      break
    case 'differs':
      tell(
        verdict,
        'bad',
        `${said}, which is not what the service says of the same block. Do not sign it.`,
      )
  }
  const passed = Object.entries(quote.integrity).filter(([, holds]) => holds)
  checks.replaceChildren(
    el(
      'ul',
      { class: 'checks' },
      ...passed.map(([name]) =>
        el('li', {}, el('strong', {}, `${name}: `), meanings[name] ?? 'passed'),
      ),
    ),
  )
}

/** The same two questions as commands. */
export function commandsView(url: string, curl: string): readonly Node[] {
  return [
    commandView('The service, with curl', `curl '${url}'`),
    commandView('Your node, with curl', curl),
  ]
}

function commandView(title: string, text: string): Node {
  return el(
    'div',
    { class: 'command' },
    el('div', {}, el('h3', {}, title), copyButton()),
    el('pre', { tabindex: 0, role: 'region', 'aria-label': title }, el('code', {}, text)),
  )
}

function copyButton(): Node {
  const button = el('button', { type: 'button', class: 'plain small' }, 'Copy')
  button.toggleAttribute('data-copy', true)
  return button
}
