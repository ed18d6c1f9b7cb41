/** One measured number, as a bench prints it. */
export type Figure = {
  bench: string
  figure: string
  value: number
  unit: string
  /** What it was measured on; `all` for the whole. */
  set: string
}

/** Prints figures as JSON, one object a line. */
export function print(figures: readonly Figure[]) {
  for (const figure of figures) console.log(JSON.stringify(figure))
}

/** Linear between the two nearest ranks; NaN for no values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
  if (low === undefined || high === undefined) return Number.NaN
  return low + (high - low) * (rank - Math.floor(rank))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
