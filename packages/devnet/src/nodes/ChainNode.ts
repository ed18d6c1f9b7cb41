import type { Rpc } from '@sluice/deploy'

/** Node implementations that a devnet can run on. */
export const nodeKinds = ['anvil', 'edr-prague', 'edr-osaka', 'geth'] as const

export type NodeKind = (typeof nodeKinds)[number]

/** A running node that holds the keys of the development accounts. It mines on demand until `mineEvery` is called. */
export type ChainNode = {
  readonly rpcUrl: string
  readonly rpc: Rpc
  /** Mines a block every `ms` milliseconds. */
  mineEvery(ms: number): Promise<void>
  /** Stops the node, and resolves once it has ended. */
  stop(): Promise<void>
}

export type NodeOptions = {
  chainId: number
  /** 0 picks a free port. */
  port: number
  /** Keeps the state of all blocks, where the node would forget that of old ones. @default false */
  keepsHistory?: boolean | undefined
}

/** Nodes listen on the loopback interface only. */
export const host = '127.0.0.1'

/** Block gas limit during setup, so that one block holds a whole phase. Lowered after setup. */
export const seedingGasLimit = 4_000_000_000
