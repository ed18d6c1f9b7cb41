import { Reverts } from '@sluice/domain'

/** What a revert means and what to do. Texts of strangers' contracts are no part of it. */
export function read(data: `0x${string}`): string {
  const { cause, ...outer } = Reverts.read(data)
  const { advice, meaning, name } = cause ?? outer
  return [meaning?.replaceAll('`', '') ?? `it reverted with ${name}.`, advice?.replaceAll('`', '')]
    .filter(Boolean)
    .join(' ')
}
