import type { Rpc } from '@sluice/deploy'
import { type Address, type Hex, numberToHex } from 'viem'

export type Receipt = { status: Hex; gasUsed: Hex; contractAddress: Address | null }

/** Seconds between blocks, so that each swap is the first of its pools in a block. */
const blockSeconds = 12n

/**
 * Sends transactions of an unlocked account, each in a separate block, and waits for the receipt.
 *
 * @throws Error if a transaction fails.
 */
export function openSender(rpc: Rpc, from: Address) {
  return async (call: { to?: Address; data: Hex; value?: Hex; gas?: bigint }): Promise<Receipt> => {
    const latest = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
    const timestamp = numberToHex(BigInt(latest.timestamp) + blockSeconds)
    await rpc.request('evm_setNextBlockTimestamp', [timestamp])
    const gas = numberToHex(call.gas ?? 10_000_000n)
    const hash = await rpc.request<Hex>('eth_sendTransaction', [{ from, ...call, gas }])
    for (;;) {
      const [receipt] = await rpc
        .batch<Receipt>([['eth_getTransactionReceipt', [hash]]])
        .catch(() => [undefined])
      if (receipt) {
        if (receipt.status !== '0x1') throw new Error('A transaction of the bench failed.')
        return receipt
      }
      await rpc.request('evm_mine')
    }
  }
}
