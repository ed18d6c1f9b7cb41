/** Why a chain has no figures. */
export type SwapFault =
  /** The index has not reached the chain's latest block yet. */
  | 'syncing'
  /** No Router has code on the chain. */
  | 'not_deployed'
  /** No node is configured for the chain. */
  | 'no_node'
  | 'rpc_unreachable'
  /** The nodes' answers contradict each other. */
  | 'rpc_inconsistent'
  | 'store_unreachable'
  /** The service has no swap index. */
  | 'index_off'
