import { type Registry, readRegistry } from '@sluice/sdk/verify'
import type { Io } from './io.js'
import { readJson } from './readJson.js'
import { UsageError } from './UsageError.js'

/**
 * Reads the registry from a deployments file or a manifest.
 *
 * @throws UsageError if the file is neither.
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
