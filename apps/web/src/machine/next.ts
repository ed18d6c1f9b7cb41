import type { Next } from './events.js'
import type { State } from './State.js'

/** While a wallet is open or its swap is shown, the form says what was handed over. */
export function isLocked({ step: { at } }: State): boolean {
  return at !== 'form'
}

/** The next state, and nothing to do. */
export function only(state: State): Next<State> {
  return { state, effects: [] }
}

/** Nothing changes. */
export function same(state: State): Next<State> {
  return only(state)
}
