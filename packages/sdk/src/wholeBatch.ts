import { OverrideReferences } from '@sluice/domain'
import type { PreparedBatch, WirePreparedBatch } from './wire.js'

/** Replaces the references in a prepared batch with the state overrides, so that its calls can be sent. */
export function wholeBatch({ overrides, ...batch }: WirePreparedBatch): PreparedBatch {
  if (overrides === undefined) return batch as PreparedBatch
  const items = batch.items.map((item) =>
    item.ok
      ? { ...item, rpcRequest: OverrideReferences.resolve(item.rpcRequest, overrides) }
      : item,
  )
  const rpcBatch = batch.rpcBatch.map((call) => OverrideReferences.resolve(call, overrides))
  return { ...batch, items, rpcBatch } as PreparedBatch
}
