import type { Figure } from '../lib/figures.js'

/** A figure of this bench, of our engine if no other set is named. */
export function figureOf(
  figure: string,
  value: number,
  unit: string,
  set: 'ours' | 'viem' = 'ours',
): Figure {
  return { bench: 'chaos', figure, value, unit, set }
}
