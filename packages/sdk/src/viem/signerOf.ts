import type { Account, Client } from 'viem'
import { parseAccount } from 'viem/accounts'
import { refused } from '../parameters.js'
import type { Address } from '../wire.js'

/**
 * Account that signs: the given one, or that of the client.
 *
 * @throws InvalidParameterError if both are missing.
 */
export function signerOf(client: Client, given: Account | Address | undefined): Account {
  const account = given ?? client.account
  if (account === undefined)
    throw refused('account', 'is missing: pass an account, or create the client with one')
  return parseAccount(account)
}
