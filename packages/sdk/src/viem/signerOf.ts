import type { Account, Client } from 'viem'
import { parseAccount } from 'viem/accounts'
import { refused } from '../parameters.js'
import type { Address } from '../wire.js'

/**
 * Who signs: the given account, or the client's own.
 *
 * @throws InvalidParameterError if there is neither.
 */
export function signerOf(client: Client, given: Account | Address | undefined): Account {
  const account = given ?? client.account
  if (account === undefined)
    throw refused('account', 'is missing: pass one, or give one to the client')
  return parseAccount(account)
}
