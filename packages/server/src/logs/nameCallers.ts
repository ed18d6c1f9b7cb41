import { createHmac, randomBytes } from 'node:crypto'
import { Lru } from '@sluice/domain'

/** How logs name callers: by their address, by a hash that tells them apart, or not at all. */
export type CallerNaming = 'address' | 'hash' | 'off'

const maxNames = 10_000

/**
 * @param key Of the hash; without one it is another at each start, so that nobody can find an address by trying all.
 * @returns The name of an address.
 */
export function nameCallers(
  naming: CallerNaming,
  key: string | undefined,
): (address: string) => string | undefined {
  if (naming === 'off') return () => undefined
  if (naming === 'address') return (address) => address
  const secret = key ?? randomBytes(32)
  const names = Lru.create<string, string>(maxNames)
  return (address) => {
    let name = names.get(address)
    if (name === undefined) {
      name = createHmac('sha256', secret).update(address).digest('base64url').slice(0, 16)
      names.put(address, name)
    }
    return name
  }
}
