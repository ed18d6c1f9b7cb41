import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { DeployError } from './errors.js'

/** Readers for members of a config. Each throws `BAD_CONFIG` with the member's path. */

export function address(value: unknown, path: string): Address {
  const candidate = text(value, path)
  // All lower case or all upper case: there is no checksum to verify.
  const plain = /^0x[0-9a-f]{40}$|^0x[0-9A-F]{40}$/.test(candidate)
  if (!isAddress(candidate, { strict: !plain }))
    throw bad(path, 'must be an address with a valid checksum')
  if (/^0x0{40}$/.test(candidate)) throw bad(path, 'must not be the zero address')
  return getAddress(candidate)
}

export function hash(value: unknown, path: string): Hex {
  const candidate = text(value, path)
  if (!/^0x[0-9a-fA-F]{64}$/.test(candidate)) throw bad(path, 'must be 32 bytes in hex')
  return candidate.toLowerCase() as Hex
}

export function text(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw bad(path, 'must be a non-empty string')
  return value
}

export function integer(value: unknown, path: string, low: number, high: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < low || value > high)
    throw bad(path, `must be an integer from ${low} to ${high}`)
  return value
}

export function list(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw bad(path, 'must be an array')
  return value
}

export function members(
  value: unknown,
  path: string,
  { required, optional }: { required: readonly string[]; optional: readonly string[] },
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(path, 'must be an object')
  const found = value as Record<string, unknown>
  const missing = required.find((name) => found[name] === undefined)
  if (missing) throw bad(path, `lacks "${missing}"`)
  const unknown = Object.keys(found).find((name) => ![...required, ...optional].includes(name))
  if (unknown) throw bad(path, `has the unknown member "${unknown}"`)
  return found
}

export function refuseRepeated(values: readonly string[], path: string) {
  const repeated = values.find((value, index) => values.indexOf(value) !== index)
  if (repeated !== undefined) throw bad(path, `contains ${repeated} twice`)
}

export function bad(path: string, reason: string): DeployError {
  return new DeployError('BAD_CONFIG', `Chain config: ${path} ${reason}.`)
}
