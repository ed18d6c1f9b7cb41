import type { DevnetChain } from '@sluice/devnet'
import {
  type Chain,
  type Client,
  createWalletClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type WalletActions,
  type WalletRpcSchema,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

/** A development chain as viem knows chains. */
export function viemChainOf({ chainId, name, rpcUrl }: DevnetChain): Chain {
  return defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
}

/** A wallet that also reads. */
export type Wallet = Client<
  HttpTransport,
  Chain,
  PrivateKeyAccount,
  WalletRpcSchema,
  PublicActions<HttpTransport, Chain, PrivateKeyAccount> & WalletActions<Chain, PrivateKeyAccount>
>

/** Opens the wallet of an account. It repeats no request, so that a test sees each failure. */
export function walletOn(chain: DevnetChain, account: PrivateKeyAccount): Wallet {
  return createWalletClient({
    account,
    chain: viemChainOf(chain),
    transport: http(chain.rpcUrl, { retryCount: 0 }),
    pollingInterval: 20,
  }).extend(publicActions)
}
