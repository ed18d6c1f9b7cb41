import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Address, getAddress, type Hex, isAddress, zeroAddress } from 'viem'
import { UsageError } from './errors.js'
import { readKey } from './readKey.js'

/**
 * Parses the flags of this process.
 *
 * @throws UsageError if a flag is unknown or lacks its value, or if a key is on the command line.
 */
export function parseFlags<const options extends NonNullable<ParseArgsConfig['options']>>(
  options: options,
): ReturnType<typeof parseArgs<{ options: options }>>['values'] {
  if (process.argv.some((argument) => /^--key(=|$)/.test(argument)))
    throw new UsageError(
      'Other processes and logs can see a key on the command line. Use another key, and pass it with --key-file or DEPLOY_KEY.',
    )
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\.?$/, '.'))
  }
}

/** @throws UsageError that names the flag, if its value is no address. */
export function addressOf(value: string | undefined, flag: string): Address | undefined {
  if (value === undefined) return undefined
  if (!isAddress(value) || value === zeroAddress)
    throw new UsageError(`${flag} must be an address with a valid checksum, and not zero.`)
  return getAddress(value)
}

/** Who signs transactions. At most one of the two is there. */
export type Signer = {
  /** Private key, from `--key-file` or `DEPLOY_KEY`. */
  readonly key: Hex | undefined
  /** Address from `--from`, whose transactions the node can sign. */
  readonly from: Address | undefined
}

/**
 * @throws UsageError if both are given, or if `--from` is no address.
 * @throws DeployError if the key cannot be read.
 */
export function readSigner(values: {
  readonly 'key-file'?: string | undefined
  readonly from?: string | undefined
}): Signer {
  const key = readKey({ file: values['key-file'], variable: process.env['DEPLOY_KEY'] })
  const from = addressOf(values.from, '--from')
  if (key !== undefined && from !== undefined)
    throw new UsageError('Pass a key or --from, not both: a key has its own account.')
  return { key, from }
}
