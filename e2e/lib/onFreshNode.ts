import type { Recording, Rpc } from '@sluice/deploy'
import { startAnvil } from '@sluice/devnet'

/** Does something on a fresh node at the time of a recording. */
export async function onFreshNode<result>(
  { chainId, timestamp }: Pick<Recording, 'chainId' | 'timestamp'>,
  action: (rpc: Rpc) => Promise<result>,
): Promise<result> {
  const node = await startAnvil({ chainId, port: 0, startsAt: timestamp - 1 })
  try {
    // The contracts read the hash of the block before.
    await node.rpc.request('evm_setNextBlockTimestamp', [timestamp])
    await node.rpc.request('evm_mine')
    return await action(node.rpc)
  } finally {
    await node.stop()
  }
}
