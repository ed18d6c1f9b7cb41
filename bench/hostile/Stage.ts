import type { Address } from 'viem'
import type { StoredTrade } from '../quality/loadTrades.js'
import type { MadeStanding } from '../quality/made/makeMarket.js'
import type { Scene } from './Attack.js'

/** A market with one trade, the trader's tokens, and two Routers. */
export type Stage = {
  name: string
  scene: Scene
  standing: MadeStanding
  trade: StoredTrade
  /** Executes any route without fee and floor, and returns the output. */
  grossRouter: Address
  close(): Promise<void>
}
