import type { AskNode } from '../askNode.js'
import type { Event } from '../machine/events.js'
import type { State } from '../machine/State.js'
import type { Boot } from './boot.js'
import type { Found } from './wallets.js'

/** What effects act on. */
export type World = {
  readonly boot: Boot
  readonly wallets: () => ReadonlyMap<string, Found>
  readonly state: () => State
  readonly dispatch: (event: Event) => void
  /** Nodes that the reader has named, by chain. */
  readonly savedNodes: Map<number, string>
}

/** Whom to ask: the connected wallet, and the reader's own node of a chain. */
export type Askers = {
  readonly wallet: () => AskNode | undefined
  readonly nodeFor: (chainId: number) => AskNode | undefined
}
