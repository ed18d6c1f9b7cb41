import { type Budget, createBudget } from '@sluice/rpc'
import type { Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { readGasPrice } from './readGasPrice.js'

/** What gas costs on one chain, read so seldom that a quote hardly ever waits for it. */
export type GasPrices = {
  /** In wei; `undefined` if no node has told lately. A read is taken from the budget of whoever comes for it. */
  readonly current: (budget?: Budget) => Promise<bigint | undefined>
  readonly stop: () => void
}

/** Read again behind the answers after so long, and before the answer after so long (milliseconds). */
const freshMs = 6_000
const staleMs = 60_000
/** Nodes that have told nothing are left alone for so long. */
const pauseMs = 5_000

/** One to each host. */
const maxRequests = 3
/** Longest wait of a quote. */
const maxWaitMs = 250

type Options = {
  /** @default what the chain's nodes say */
  read?: ((options: readGasPrice.Options) => Promise<bigint | undefined>) | undefined
  /** Monotonic milliseconds. */
  now?: (() => number) | undefined
}

export function createGasPrices(state: ChainState, options: Options = {}): GasPrices {
  const { now = () => performance.now() } = options
  const { read = (how: readGasPrice.Options) => readGasPrice(state, how) } = options
  const stopping = new AbortController()
  let price: { readonly wei: bigint; readonly at: number } | undefined
  let used: { readonly wei: bigint; readonly block: Hex; readonly at: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function refresh(whole = createBudget({ requests: maxRequests })): Promise<void> {
    const at = now()
    triedAt = at
    const budget = whole.part('gas price', maxRequests)
    const wei = await read({ signal: stopping.signal, budget })
    if (wei !== undefined) price = { wei, at }
  }

  /** Once for all who wait. */
  function refreshOnce(budget?: Budget): Promise<void> {
    reading ??= refresh(budget).finally(() => {
      reading = undefined
    })
    return reading
  }

  const ageOf = (at: number) => now() - at

  async function latest(budget?: Budget): Promise<bigint | undefined> {
    if (price && ageOf(price.at) < freshMs) return price.wei
    const isPaused = !reading && ageOf(triedAt) < pauseMs
    if (!isPaused) {
      const refreshed = refreshOnce(budget)
      if (!price || ageOf(price.at) >= staleMs) await within(maxWaitMs, refreshed)
    }
    return price && ageOf(price.at) < staleMs ? price.wei : undefined
  }

  return {
    async current(budget) {
      const block = state.head?.hash
      // On one block one price, so that answers of that block stay good.
      if (used && used.block === block && ageOf(used.at) < staleMs) return used.wei
      const wei = await latest(budget)
      used = block === undefined || wei === undefined ? undefined : { wei, block, at: now() }
      return wei
    },
    stop: () => stopping.abort(),
  }
}

async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
