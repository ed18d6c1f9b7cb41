import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Chain,
  createPublicClient,
  createWalletClient,
  type Hex,
  type HttpTransport,
  http,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
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

/**
 * Asks for a receipt until it exists.
 *
 * viem's `waitForTransactionReceipt` asks once for each new block, and uses the response to a request that was already
 * running when the block came. If that response is "none", it waits for another block, which a node that mines on
 * demand never makes.
 */
export async function receiptOf(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    })
    if (receipt !== undefined) return receipt
    await sleep(10)
  }
}
