import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** Returns the absolute path of a path relative to the repository. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(path, root))
}

/** Default folder of the markets, trades and oracle; it is not part of the repository. */
export const defaultDir = inRepository('../shared/bench')
