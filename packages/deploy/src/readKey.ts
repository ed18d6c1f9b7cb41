import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { DeployError, UsageError } from './errors.js'

/**
 * Reads the deployer's private key from a file or from the environment, never from the command line: every process can
 * see that, and npm prints it. Returns `undefined` if neither is given. No message contains any part of the key.
 */
export function readKey({
  file,
  variable,
}: {
  file: string | undefined
  variable: string | undefined
}): Hex | undefined {
  if (file === undefined) return variable === undefined ? undefined : keyIn(variable, 'DEPLOY_KEY')
  if (variable !== undefined) throw new UsageError('Pass --key-file or DEPLOY_KEY, not both.')
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new DeployError('NO_ACCOUNT', `The key file ${file} cannot be read (${code}).`)
  }
  return keyIn(content, `The key file ${file}`)
}

function keyIn(text: string, place: string): Hex {
  const key = text.trim()
  if (/^0x[0-9a-fA-F]{64}$/.test(key)) return key as Hex
  throw new DeployError(
    'NO_ACCOUNT',
    `${place} must contain a private key: 32 bytes in hex, with 0x.`,
  )
}
