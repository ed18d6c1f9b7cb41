import { Reverts } from '@sluice/domain'

/** Reverts that the next quote mends, whatever pays for the swap. */
const ofMarket = ['BelowFloor', 'BelowPriceFloor', 'Expired', 'PartialFill', 'BeyondReserves']

/** Whether a swap would revert for its price or its time. */
export function isOfMarket(data: string): boolean {
  const { cause, name } = Reverts.read(data as `0x${string}`)
  return ofMarket.includes(name) || ofMarket.includes(cause?.name ?? '')
}

/** What a revert means and what to do. Texts of strangers' contracts are no part of it. */
export function read(data: `0x${string}`): string {
  const { cause, ...outer } = Reverts.read(data)
  const { advice, meaning, name } = cause ?? outer
  return [meaning?.replaceAll('`', '') ?? `it reverted with ${name}.`, advice?.replaceAll('`', '')]
    .filter(Boolean)
    .join(' ')
}
