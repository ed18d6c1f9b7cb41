import type { Address } from 'viem'
import type { StoredTrade } from '../quality/loadTrades.js'
import type { MadeStanding } from '../quality/made/makeMarket.js'
import type { Scene } from './attacks.js'

/** A market with one trade in it, the trader's tokens and the two Routers that fill. */
export type Stage = {
  name: string
  scene: Scene
  standing: MadeStanding
  trade: StoredTrade
  /** Delivers what any routing pays, before the fee and with no floor. */
  grossRouter: Address
  close(): Promise<void>
}
