import { Decimals } from '@sluice/domain'
import type { QuoteParameters } from '@sluice/sdk'
import { find } from './dom.js'
import type { Tokens } from './tokens.js'

/** What the form says, before it is asked. */
export type Trade = {
  readonly chainId: number
  readonly parameters: QuoteParameters
}

export type ReadTrade =
  | { readonly ok: true; readonly trade: Trade }
  | { readonly ok: false; readonly field: string; readonly reason: string }

/** Fields that stand in the page's address, by their names there. */
const remembered = [
  'chain',
  'in',
  'out',
  'amount',
  'recipient',
  'slippageBps',
  'deadlineSec',
] as const

export const form = () => find<HTMLFormElement>('#trade')

function field(name: string): HTMLInputElement | HTMLSelectElement {
  return form().elements.namedItem(name) as HTMLInputElement | HTMLSelectElement
}

function text(name: string): string {
  return field(name).value.trim()
}

export function chainId(): number {
  return Number(text('chain'))
}

export function setField(name: string, value: string): void {
  field(name).value = value
}

export const sides = () => ({ tokenIn: text('in'), tokenOut: text('out') })

/** Fills the form from the page's address; `chain` may be a name. */
export function restore(): void {
  const query = new URLSearchParams(location.search)
  for (const name of remembered) {
    const given = query.get(name)
    if (given === null || given.length > 100) continue
    if (name !== 'chain') setField(name, given)
    else
      for (const option of find<HTMLSelectElement>('#chain').options)
        if ([option.value, option.dataset['alias']].includes(given)) setField(name, option.value)
  }
}

/** Puts the form into the page's address, so that it can be passed on. */
export function remember(): void {
  const query = new URLSearchParams()
  for (const name of remembered) if (text(name) !== '') query.set(name, text(name))
  history.replaceState(null, '', `?${query}`)
}

/** Reads the amount exactly, and the rest as it stands: the service says what is wrong with it. */
export function read(tokens: Tokens): ReadTrade {
  const { tokenIn, tokenOut } = sides()
  const amount = text('amount')
  const decimals = tokens.decimalsOf(chainId(), tokenIn)
  const amountIn = Decimals.toBase(amount, decimals ?? 0)
  if (amountIn === undefined || amountIn === 0n)
    return { ok: false, field: 'amount', reason: amountReason(amount, decimals) }
  const optional = (name: string) => (text(name) === '' ? {} : { [name]: text(name) })
  const parameters = {
    chain: chainId(),
    in: tokenIn,
    out: tokenOut,
    amountIn,
    ...optional('recipient'),
    ...optional('slippageBps'),
    ...optional('deadlineSec'),
  } as QuoteParameters
  return { ok: true, trade: { chainId: chainId(), parameters } }
}

function amountReason(amount: string, decimals: number | undefined): string {
  if (decimals === undefined)
    return "This token's decimals are not known here: write the amount in base units, an integer."
  if (/,/.test(amount)) return 'Write it without separators, with a point: 1234.5.'
  if (!/^[0-9]+(\.[0-9]+)?$/.test(amount)) return 'Write a number above zero, for example 1.5.'
  const places = amount.split('.')[1]?.length ?? 0
  return places > decimals
    ? `This token has ${decimals} decimals; the amount has ${places}.`
    : 'Write a number above zero.'
}

/** The exact integer under the amount, and how it came about. */
export function showAmount(result: ReadTrade, tokens: Tokens): void {
  const hint = find('#amount-hint')
  const isWrong = !result.ok && result.field === 'amount'
  field('amount').setAttribute('aria-invalid', String(isWrong))
  if (!result.ok) {
    hint.textContent = result.reason
    return
  }
  const decimals = tokens.decimalsOf(chainId(), sides().tokenIn)
  const how =
    decimals === undefined ? 'as written: decimals not known here' : `${decimals} decimals`
  hint.textContent = `= ${result.trade.parameters.amountIn} base units (${how})`
}
