import { type Figure, quantile } from '../../lib/figures.js'
import type { Asked } from './measureFirst.js'

/** Returns the figures of trades that were requested twice. */
export function figuresOfFirst(set: string, asked: readonly Asked[]): Figure[] {
  const of = (key: Exclude<keyof Asked, 'id'>) => asked.map((each) => each[key])
  const median = (key: 'firstMs' | 'secondMs') => quantile(of(key), 0.5)
  const rows: [string, number, string][] = [
    ['trades', asked.length, 'count'],
    ['market.median', quantile(of('first'), 0.5), 'ratio'],
    ['market.p10', quantile(of('first'), 0.1), 'ratio'],
    ['market.worst', quantile(of('first'), 0), 'ratio'],
    ['second.median', quantile(of('second'), 0.5), 'ratio'],
    ['second.p10', quantile(of('second'), 0.1), 'ratio'],
    ['second.worst', quantile(of('second'), 0), 'ratio'],
    ['first.ms', median('firstMs'), 'ms'],
    ['first.ratio', median('firstMs') / median('secondMs'), 'ratio'],
  ]
  return rows.map(([figure, value, unit]) => ({ bench: 'quality', figure, value, unit, set }))
}
