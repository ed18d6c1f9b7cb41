import {
  type Chain,
  createPublicClient,
  createWalletClient,
  type HttpTransport,
  http,
  type PublicClient,
  type WalletClient,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Devnet, DevnetChain } from '../src/index.js'

export function clientOf(chain: DevnetChain): PublicClient {
  return createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 20 })
}

/** The development account. */
export function walletOf(
  { account }: Devnet,
  { chainId, name, rpcUrl }: DevnetChain,
): WalletClient<HttpTransport, Chain, PrivateKeyAccount> {
  return createWalletClient({
    account: privateKeyToAccount(account.privateKey),
    chain: {
      id: chainId,
      name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    },
    transport: http(rpcUrl),
  })
}
