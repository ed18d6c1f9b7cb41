/** A value with its first and second derivative by one variable. */
export type Jet = readonly [value: number, slope: number, bend: number]

export function constant(value: number): Jet {
  return [value, 0, 0]
}

export function plus(...jets: readonly Jet[]): Jet {
  return jets.reduce(([a, a1, a2], [b, b1, b2]) => [a + b, a1 + b1, a2 + b2], [0, 0, 0] as Jet)
}

export function times(...jets: readonly Jet[]): Jet {
  return jets.reduce(
    ([a, a1, a2], [b, b1, b2]) => [a * b, a1 * b + a * b1, a2 * b + 2 * a1 * b1 + a * b2],
    [1, 0, 0] as Jet,
  )
}

export function inverse([a, a1, a2]: Jet): Jet {
  return [1 / a, -a1 / a ** 2, (2 * a1 * a1) / a ** 3 - a2 / a ** 2]
}

export function minus(a: Jet, b: Jet): Jet {
  return plus(a, times(constant(-1), b))
}
