import { IntegrityError } from '../errors.js'

/**
 * Throws if what is to be signed fails a check.
 *
 * @internal
 * @throws IntegrityError
 */
export function demand(holds: boolean, check: string, message: string): asserts holds {
  if (!holds)
    throw new IntegrityError(check, `${message}.`, {
      code: 'bad_transaction',
      metaMessages: ['Do not sign it.'],
    })
}
