/** Blocks below the latest whose hashes are all kept: reorganisations that deep are undone block by block. */
export const keptBlocks = 256
/** Of older blocks one in so many stays known, so that a deeper one needs no start from nothing. */
export const checkpointEvery = 1_024
