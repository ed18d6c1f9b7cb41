import { type Budget, createBudget } from '@sluice/rpc'
import type { Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { readGasPrice } from './readGasPrice.js'

/** Gas price of one chain. Refreshed in the background, so that quotes rarely wait for it. */
export type GasPrices = {
  /**
   * In wei; `undefined` if no node answered recently. A read is charged to the budget of the caller who triggers it.
   */
  readonly current: (budget?: Budget) => Promise<bigint | undefined>
  readonly stop: () => void
}

/** Age from which the price is refreshed in the background, in milliseconds. */
const freshMs = 6_000
/** Age from which a price is no longer used, in milliseconds. */
const staleMs = 60_000
/** Pause after an attempt before nodes are asked again, in milliseconds. */
const pauseMs = 5_000

/** One request to each host. */
const maxRequests = 3
/** Maximum time that a quote waits for the price, in milliseconds. */
const maxWaitMs = 250

type Options = {
  /** @default the price that the chain's nodes report */
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

  /** Runs one refresh at a time; concurrent callers share it. */
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
      // The price stays the same within a block, so that cached answers of that block stay valid.
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
