import type { Io } from './io.js'
import { UsageError } from './UsageError.js'

/**
 * Reads a JSON file; `-` is stdin.
 *
 * @throws UsageError if the file is not valid JSON.
 */
export function readJson(io: Pick<Io, 'readFile'>, path: string): unknown {
  try {
    return JSON.parse(io.readFile(path))
  } catch {
    throw new UsageError(`${path === '-' ? 'stdin' : path} is not valid JSON.`)
  }
}
