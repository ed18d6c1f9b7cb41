import type { Check } from '../machine/Check.js'
import type { Token } from '../machine/State.js'
import { amountText } from './numbers.js'
import { Icon } from './parts.js'

/** What the reader's own node says of the number, beside the number. */
export function Badge({ check, token }: { check: Check; token: Token }) {
  const { icon, kind, text, title } = wordsOf(check, token)
  return (
    <span class={`badge ${kind}`} title={title}>
      {icon !== undefined && <Icon name={icon} />}
      {text}
    </span>
  )
}

function wordsOf(
  check: Check,
  token: Token,
): { kind: string; text: string; title: string; icon?: 'check' | 'cross' | 'warn' } {
  switch (check.kind) {
    case 'same':
      return {
        kind: 'good',
        icon: 'check',
        text: `Same on your node, block ${check.block}`,
        title:
          'Your node was asked the very call of this quote, with its hints, on its block, and gave the same route and the same number.',
      }
    case 'differs':
      return {
        kind: 'bad',
        icon: 'cross',
        text: `Your node says ${amountText(check.own, token)}`,
        title: 'Nothing is signed while they differ.',
      }
    case 'forged':
      return { kind: 'bad', icon: 'cross', text: 'Failed a check', title: check.reason }
    case 'asking':
      return {
        kind: 'unsure',
        text: 'Asking your node …',
        title: 'Your node repeats the call of this quote.',
      }
    case 'unanswered':
      return { kind: 'unsure', icon: 'warn', text: 'Not checked', title: check.reason }
    default:
      return {
        kind: 'unsure',
        text: 'Not checked yet',
        title:
          'Connect a wallet, or name a node of your own in the settings, and it repeats every quote.',
      }
  }
}
