import type { RpcCall, RpcOutcome } from '@sluice/rpc'

/** Sends several calls to one node; returns one outcome for each, in their order. Never throws. */
export type AskNode = (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>
