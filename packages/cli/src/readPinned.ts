import { type Registry, readRegistry } from '@sluice/sdk/verify'
import type { Io } from './io.js'
import { UsageError } from './UsageError.js'

/**
 * The registry in a deployments file or a manifest.
 *
 * @throws UsageError
 */
export function readPinned(io: Io, path: string): Registry {
  const content = readJson(io, path)
  try {
    return readRegistry(content)
  } catch {
    throw new UsageError(
      `${path} is neither a deployments file written by \`sluice deploy\` nor a response of GET /api/manifest.`,
    )
  }
}

/** @throws UsageError */
export function readJson(io: Io, path: string): unknown {
  try {
    return JSON.parse(io.readFile(path))
  } catch {
    throw new UsageError(`${path === '-' ? 'stdin' : path} is not valid JSON.`)
  }
}
