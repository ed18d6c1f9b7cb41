import type { RpcCall, RpcOutcome } from '../rpc/callBatch.js'

/** Asks one node several things at once; one outcome for each call, in their order. Never throws. */
export type AskNode = (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>
