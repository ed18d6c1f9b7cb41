import { partOf } from './partOf.js'

/** What opens over the form, and what signs. */
export const late = partOf(() => import('../late.js'))
/** What stands beside the card. */
export const panels = partOf(() => import('../panels.js'))
/** What has the reader's own node repeat a quote. */
export const proving = partOf(() => import('../proving.js'))
/** What has the reader's own node compute quotes. */
export const ownQuotes = partOf(() => import('../ownQuotes.js'))

/** Loads what opens over the form at the first touch, before it is needed. */
export function loadAtFirstTouch(): void {
  const load = () => {
    late.load().catch(() => {})
  }
  for (const type of ['pointerover', 'keydown', 'touchstart', 'focusin'])
    addEventListener(type, load, { once: true, passive: true })
}
