import { partOf } from './partOf.js'

/** The parts of the page that are loaded later: its dialogs, and the code that asks the wallet to sign and to send. */
export const late = partOf(() => import('../late.js'))
/** The panels beside the card. */
export const panels = partOf(() => import('../panels.js'))
/** Repeats a quote on the reader's own node. */
export const proving = partOf(() => import('../proving.js'))
/** Computes quotes on the reader's own node. */
export const ownQuotes = partOf(() => import('../ownQuotes.js'))

/** Loads what opens over the form at the first touch, before it is needed. */
export function loadAtFirstTouch(): void {
  const load = () => {
    late.load().catch(() => {})
  }
  for (const type of ['pointerover', 'keydown', 'touchstart', 'focusin'])
    addEventListener(type, load, { once: true, passive: true })
}
