import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** Absolute path of something in the repository, or beside it. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(path, root))
}

/** The markets, trades and oracle that come beside the repository. */
export const defaultDir = inRepository('../shared/bench')
