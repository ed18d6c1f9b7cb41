import type { Rpc } from '@sluice/deploy'

/** Makes of nodes that a devnet can run on. */
export const nodeKinds = ['anvil', 'edr-prague', 'edr-osaka'] as const

export type NodeKind = (typeof nodeKinds)[number]

/** A running node that mines when it is told to, until it is set otherwise, and holds the keys of the accounts. */
export type ChainNode = {
  readonly rpcUrl: string
  readonly rpc: Rpc
  /** Makes blocks in intervals of so many milliseconds. */
  mineEvery(ms: number): Promise<void>
  /** Ends the node and resolves when it is gone. */
  stop(): Promise<void>
}

export type NodeOptions = {
  chainId: number
  /** 0 takes a free one. */
  port: number
}

/** Nodes listen on the loopback interface alone. */
export const host = '127.0.0.1'

/** Blocks hold whole seeding phases; lowered once the chain is furnished. */
export const seedingGasLimit = 4_000_000_000
