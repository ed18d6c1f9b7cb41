import { Addresses, BaseError } from '@sluice/domain'
import type { Address } from 'viem'
import { z } from 'zod'
import { type Logo, parseLogo, type ReadFile } from './parseLogo.js'

/** A token from an operator's token list. */
export type ListedToken = {
  readonly chainId: number
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly logo?: Logo | undefined
}

/** Maximum number of pictures of one list. */
const maxLogos = 500

/** The fields of the token list standard that we need. Ignores other fields and address formats of other chains. */
const list = z.object({ name: z.string(), tokens: z.array(z.unknown()).max(10_000) })
const token = z.object({
  chainId: z.int().positive(),
  address: z.string().regex(/^0x/),
  symbol: z.string().regex(/^[A-Za-z0-9.$_+-]{1,32}$/),
  name: z.string().max(60),
  decimals: z.int().min(0).max(255),
  logoURI: z.unknown().optional(),
})

/**
 * Parses a standard token list. Skips rows with another format, since one list can cover all kinds of chains.
 *
 * @param readFile Reads a picture beside the list. @default none
 * @throws BadTokenListError if it is not a token list.
 */
export function parseTokenList(
  content: unknown,
  readFile: ReadFile = () => undefined,
): readonly ListedToken[] {
  const parsed = list.safeParse(content)
  if (!parsed.success) throw new BadTokenListError()
  let logos = 0
  return parsed.data.tokens.flatMap((each): ListedToken[] => {
    const row = token.safeParse(each)
    const address = row.success ? Addresses.parse(row.data.address) : undefined
    if (!row.success || !address?.ok) return []
    const { chainId, decimals, logoURI, name, symbol } = row.data
    const logo = logos < maxLogos ? parseLogo(logoURI, readFile) : undefined
    if (logo !== undefined) logos++
    return [{ chainId, address: address.address, symbol, name, decimals, ...(logo && { logo }) }]
  })
}

/** Thrown if a file is not a token list. */
export class BadTokenListError extends BaseError {
  override readonly name = 'BadTokenListError'
  constructor() {
    super('The file is not a token list: it needs `name` and at most 10,000 `tokens`.', {
      code: 'bad_token_list',
    })
  }
}
