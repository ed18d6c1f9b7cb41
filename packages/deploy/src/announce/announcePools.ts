import type { Address, Hex } from 'viem'
import { createSender, estimateGas, type OutgoingCall } from '../createSender.js'
import type { Rpc } from '../rpc.js'
import type { AnnouncementPlan } from './planAnnouncements.js'

/** What became of a pool. */
export type AnnouncedPool = {
  /** Id of the pool. */
  readonly pool: Hex
  readonly knownBy?: 'position' | 'announcement'
  /** Hash of the transaction that announced it. */
  readonly transaction?: Hex
  /** Gas that its announcement would take, if it was not sent. */
  readonly gas?: bigint
}

/**
 * Sends the planned transactions, and waits until they are mined.
 *
 * @throws DeployError `NO_ACCOUNT` or `TRANSACTION_FAILED`
 */
export async function announcePools(
  rpc: Rpc,
  { chainId, pools }: AnnouncementPlan,
  signer: {
    key?: Hex | undefined
    from?: Address | undefined
    onProgress?: ((text: string) => void) | undefined
  },
): Promise<readonly AnnouncedPool[]> {
  const calls = pools.flatMap((each) => ('call' in each ? [each.call] : []))
  const hashes = calls.length === 0 ? [] : await sendAll(rpc, calls, { chainId, ...signer })
  return pools.map((each) =>
    'call' in each ? { pool: each.pool, transaction: hashes[calls.indexOf(each.call)]! } : each,
  )
}

/**
 * Estimates the gas of the planned transactions. Sends nothing.
 *
 * @throws DeployError `TRANSACTION_FAILED`
 */
export function estimateAnnouncements(
  rpc: Rpc,
  { pools }: AnnouncementPlan,
): Promise<readonly AnnouncedPool[]> {
  return Promise.all(
    pools.map(async (each) =>
      'call' in each ? { pool: each.pool, gas: await estimateGas(rpc, each.call) } : each,
    ),
  )
}

async function sendAll(
  rpc: Rpc,
  calls: readonly OutgoingCall[],
  signer: Parameters<typeof createSender>[1],
): Promise<readonly Hex[]> {
  const sender = await createSender(rpc, signer)
  return await sender.send(calls)
}
