import type { Rpc } from '@sluice/deploy'
import { type Address, type Hex, numberToHex, size } from 'viem'
import { DevnetError } from './errors.js'
import { seeder } from './placements.js'

/** A transaction that a development node signs with one of its accounts. */
export type Transaction = {
  from: Address
  /** If unset, the transaction creates a contract. */
  to?: Address | undefined
  data?: Hex | undefined
  value?: bigint | undefined
}

type Receipt = { status: Hex; contractAddress: Address | null; gasUsed: Hex }

/** Maximum gas of a transaction since Osaka. It is enough for all but the long calls of benches. */
const usualGas = 2n ** 24n
const usualBytes = 4_096
const gasPerByte = 8_000n
const attempts = 200

/**
 * Sends transactions of several accounts in one block, in order. Throws if one of them fails. Nonces are explicit,
 * because a node may reorder transactions that arrive together.
 */
export async function sendInOneBlock(
  rpc: Rpc,
  transactions: readonly Transaction[],
): Promise<Receipt[]> {
  const senders = [...new Set(transactions.map(({ from }) => from))]
  const counts = await rpc.batch<Hex>(
    senders.map((from) => ['eth_getTransactionCount', [from, 'latest']]),
  )
  const nonces = new Map(senders.map((from, index) => [from, BigInt(counts[index]!)]))
  await rpc.batch(senders.map((from) => ['hardhat_impersonateAccount', [from]]))
  const hashes = await rpc.batch<Hex>(
    transactions.map(({ from, to, data, value }) => {
      const nonce = nonces.get(from)!
      nonces.set(from, nonce + 1n)
      return [
        'eth_sendTransaction',
        [
          {
            from,
            ...(to && { to }),
            ...(data && { data }),
            ...(value !== undefined && { value: numberToHex(value) }),
            gas: numberToHex(gasOf({ to, data })),
            nonce: numberToHex(nonce),
          },
        ],
      ]
    }),
  )
  await rpc.request('evm_mine')
  const receipts = await receiptsOf(rpc, hashes)
  await rpc.batch(senders.map((from) => ['hardhat_stopImpersonatingAccount', [from]]))
  receipts.forEach(({ status }, index) => {
    if (status !== '0x1')
      throw new DevnetError('SEEDING_FAILED', `Seeding transaction ${index} reverted.`)
  })
  return receipts
}

/** Upper bound on the gas of a setup transaction. With an explicit limit, nodes do not estimate gas. */
function gasOf({ data = '0x', to }: Pick<Transaction, 'data' | 'to'>): bigint {
  const excess = to === seeder ? Math.max(size(data) - usualBytes, 0) : 0
  return usualGas + gasPerByte * BigInt(excess)
}

async function receiptsOf(rpc: Rpc, hashes: readonly Hex[]): Promise<Receipt[]> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const receipts = await rpc.batch<Receipt | null>(
      hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]),
    )
    if (receipts.every((receipt) => receipt !== null)) return receipts
    // Some transactions did not fit into the block.
    await rpc.request('evm_mine')
  }
  throw new DevnetError('SEEDING_FAILED', 'A seeding transaction was never mined.')
}
