import type { Devnet, DevnetChain } from '@sluice/devnet'
import { privateKeyToAccount } from 'viem/accounts'
import { type Wallet, walletOn } from './walletOn.js'

/** Opens the wallet of the funded development account. @param chain The devnet's first, if absent. */
export function openWallet({ account, chains }: Devnet, chain: DevnetChain = chains[0]!): Wallet {
  return walletOn(chain, privateKeyToAccount(account.privateKey))
}
