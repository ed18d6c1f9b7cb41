import { type Registry, readRegistry } from '@sluice/sdk/verify'
import type { Io } from './io.js'
import { UsageError } from './UsageError.js'

/** The registry in a deployments file or a manifest. */
export function readPinned(io: Io, path: string): Registry {
  return readRegistry(readJson(io, path))
}

/** @throws UsageError */
export function readJson(io: Io, path: string): unknown {
  try {
    return JSON.parse(io.readFile(path))
  } catch {
    throw new UsageError(`${path === '-' ? 'stdin' : path} cannot be read as JSON.`)
  }
}
