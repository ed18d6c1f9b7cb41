import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { DeployError, UsageError } from './errors.js'

/**
 * The deployer's private key: from a file or the environment, because a command line is seen by every process and npm
 * prints it. Undefined if neither is given. No message holds any of it.
 */
export function readKey({
  file,
  variable,
}: {
  file: string | undefined
  variable: string | undefined
}): Hex | undefined {
  if (file === undefined) return variable === undefined ? undefined : keyIn(variable, 'DEPLOY_KEY')
  if (variable !== undefined) throw new UsageError('Give --key-file or DEPLOY_KEY, not both.')
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
  throw new DeployError('NO_ACCOUNT', `${place} must hold a key: 32 bytes in hex, with 0x.`)
}
