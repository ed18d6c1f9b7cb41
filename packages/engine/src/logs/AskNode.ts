import type { RpcCall, RpcOutcome } from '@sluice/rpc'

/** Asks one node several things at once; one outcome for each call, in their order. Never throws. */
export type AskNode = (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>
