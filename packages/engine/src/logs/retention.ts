/**
 * Blocks below the latest that are read header by header: a node behind a balancer may be that far behind without saying
 * so. What lies deeper is settled.
 */
export const unsettledBlocks = 16_384
/** Blocks below the latest whose hashes are all kept: reorganisations that deep are undone block by block. */
export const keptBlocks = 256
/** Of older blocks one in so many stays known, so that a deeper one needs no start from nothing. */
export const checkpointEvery = 1_024
