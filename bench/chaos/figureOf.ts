import type { Figure } from '../lib/figures.js'

/** Creates a figure of this bench. The default set is our engine. */
export function figureOf(
  figure: string,
  value: number,
  unit: string,
  set: 'ours' | 'viem' = 'ours',
): Figure {
  return { bench: 'chaos', figure, value, unit, set }
}
