/**
 * Number of latest blocks that are read with every header: a node behind a load balancer may silently lag that far.
 * Older blocks count as settled.
 */
export const unsettledBlocks = 16_384
/** Number of latest blocks whose hashes are all kept, so that a reorganization within them is undone exactly. */
export const keptBlocks = 256
/** Of older blocks, one in this many is kept, so that a deeper reorganization does not restart the index. */
export const checkpointEvery = 1_024
