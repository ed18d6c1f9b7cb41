import { createHmac, randomBytes } from 'node:crypto'
import { Lru } from '@sluice/domain'

/** How logs name callers: by address, by a hash of it, or not at all. */
export type CallerNaming = 'address' | 'hash' | 'off'

/** Maximum number of hashes kept in memory. */
const maxNames = 10_000

/**
 * Returns a function that names an address in logs.
 *
 * @param key Key of the hash. @default a random key at each start, so that nobody can find an address by hashing all of
 * them
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
