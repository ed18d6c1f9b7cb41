import { type AskNode, nodeAt, nodeOf } from '../askNode.js'
import type { Askers, World } from './World.js'

/** The reader's own node of a chain: the one they named, the wallet's, or the development network's. */
export function createAskers({ boot, savedNodes, state, wallets }: World): Askers {
  const wallet = (): AskNode | undefined => {
    const { id, status } = state().wallet
    const found = status === 'connected' ? wallets().get(id ?? '') : undefined
    return found && nodeOf(found.provider)
  }
  return {
    wallet,
    nodeFor(chainId) {
      const saved = savedNodes.get(chainId)
      if (saved !== undefined) return nodeAt(saved)
      const own = state().wallet.chainId === chainId ? wallet() : undefined
      if (own !== undefined) return own
      const published = boot.nodes.get(chainId)
      return published === undefined ? undefined : nodeAt(published)
    },
  }
}
