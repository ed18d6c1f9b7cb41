import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Creates metrics in one registry. */
export type Families = {
  /** @param known Label values that start at 0, so that rates include the first event. */
  readonly counter: (
    name: string,
    help: string,
    label?: string,
    known?: readonly string[],
  ) => Counter
  readonly gauge: (name: string, help: string, labels?: readonly string[]) => Gauge
  readonly histogram: (
    name: string,
    help: string,
    labels: readonly string[],
    buckets: readonly number[],
  ) => Histogram
}

export const secondsBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const

export function createFamilies(registry: Registry): Families {
  const registers = [registry]
  return {
    counter(name, help, label = '', known = []) {
      const labelNames = label === '' ? [] : label.split(' ')
      const counter = new Counter({ name, help, labelNames, registers })
      for (const value of known) counter.inc({ [label]: value }, 0)
      return counter
    },
    gauge: (name, help, labels = []) =>
      new Gauge({ name, help, labelNames: [...labels], registers }),
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
  }
}
