import { type GasCost, Lru } from '@sluice/domain'
import type { Address } from 'viem'

/** Recent rates of a chain's native coin in other tokens. */
export type NativeRates = {
  readonly of: (token: Address) => GasCost.Rate | undefined
  readonly note: (token: Address, rate: GasCost.Rate) => void
}

const keptMs = 60_000
const maxRates = 2_000

/** @param now Monotonic milliseconds. */
export function createNativeRates(now: () => number = () => performance.now()): NativeRates {
  const rates = Lru.create<string, { readonly rate: GasCost.Rate; readonly at: number }>(maxRates)
  return {
    of(token) {
      const found = rates.get(token)
      return found && now() - found.at < keptMs ? found.rate : undefined
    },
    note(token, rate) {
      rates.put(token, { rate, at: now() })
    },
  }
}
