import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A stored trade, with the optimum over all pools of its market. Amounts are in base units. */
export type StoredTrade = {
  id: string
  market: string
  scope: 'deployable' | 'all'
  tokenIn: string
  tokenOut: string
  amountIn: string
  usd: number
  optimum: number
}

/** Loads all trades of a bench folder whose pools can be put on a node. */
export function loadTrades(dir: string): StoredTrade[] {
  const { instances } = JSON.parse(readFileSync(join(dir, 'instances.json'), 'utf8')) as {
    instances: StoredTrade[]
  }
  return instances.filter(({ scope }) => scope === 'deployable')
}
