import { Addresses } from '@sluice/domain'
import { type AskNode, NodeError } from '../askNode.js'
import { firstAccount } from './wallets.js'

/** Makes sure that the wallet still has the account and the chain that are on the screen. */
export async function demandAccount(
  ask: AskNode,
  { account, chainId }: { account: string; chainId: number },
): Promise<void> {
  const [accounts, chain] = await Promise.all([ask('eth_accounts', []), ask('eth_chainId', [])])
  const held = Array.isArray(accounts) ? accounts.map(String) : []
  if (firstAccount(accounts) === undefined || !held.some((each) => Addresses.equal(each, account)))
    throw new NodeError('The account on the screen is no longer connected.')
  if (Number(chain) !== chainId) throw new NodeError('The wallet is on another chain now.')
}
