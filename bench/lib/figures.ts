/** One measured number in the output format of a bench. */
export type Figure = {
  bench: string
  figure: string
  value: number
  unit: string
  /** Name of the measured set; `all` for everything. */
  set: string
}

/** Prints figures as JSON, one object per line. */
export function print(figures: readonly Figure[]) {
  for (const figure of figures) console.log(JSON.stringify(figure))
}

/** Returns a quantile, interpolated linearly between the two nearest ranks; NaN if there are no values. */
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
