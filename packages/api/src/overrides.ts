import { Overrides } from '@sluice/domain'
import { z } from 'zod'
import { address, hex, integer } from './fields.js'

const word = hex.length(66)

/** Schema of `overrides` as an object in a body. Only documents it: the domain validates it. */
export const overridesObject = z.record(
  z.string().meta({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  z.strictObject({
    balance: z.string().optional(),
    stateDiff: z.record(z.string(), z.string()).optional(),
  }),
)

/** Schema of `overrides` in a prepared request. The domain counts the slots. */
export const preparedOverrides = z
  .record(
    address,
    z.strictObject({ balance: hex.max(66).optional(), stateDiff: z.record(word, word).optional() }),
  )
  .refine((accounts) => Object.keys(accounts).length <= Overrides.maxAccounts)
  .describe("Changes to the chain's state; the call contains them.")

/** Schema of a quote's `overrides`: how much of the chain's state the request replaced. */
export const overridesSummary = z
  .object({
    accounts: integer.describe('Number of accounts that were changed.'),
    slots: integer.describe('Number of storage slots that were changed.'),
    digest: hex
      .length(66)
      .describe('SHA-256 of the normalized JSON, as in `request.overrides` of prepare.'),
  })
  .describe(
    'Additive, with `overrides`: the quote holds only on that state, which the chain may never have. `canExecute` is false, and there is no `tx`. Absent from every other quote. `meta.call` has the changes themselves.',
  )
