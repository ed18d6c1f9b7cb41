import { type Address, zeroAddress } from 'viem'
import type { Depth } from './readDepths.js'

/** A pool and the direction of a trade through it. */
export type Edge = {
  readonly depth: Depth
  /** Whether the trade sells token0. */
  readonly isForward: boolean
}

/** The pools of a chain with their depth, by token. The native coin counts as its wrapped form. */
export type DepthMap = {
  /** Pools that trade `token` for other tokens, by the other token; addresses in lower case. */
  readonly from: (token: Address) => ReadonlyMap<Address, readonly Edge[]>
  readonly size: number
}

const nothing: ReadonlyMap<Address, readonly Edge[]> = new Map()

export function createDepthMap(depths: readonly Depth[], wrappedNative: Address): DepthMap {
  const wrapped = wrappedNative.toLowerCase() as Address
  const edges = new Map<Address, Map<Address, Edge[]>>()
  const add = (from: Address, to: Address, edge: Edge) => {
    const others = edges.get(from) ?? new Map<Address, Edge[]>()
    edges.set(from, others)
    const parallel = others.get(to)
    if (parallel === undefined) others.set(to, [edge])
    else parallel.push(edge)
  }
  const named = (token: Address) => (token === zeroAddress ? wrapped : token)
  for (const depth of depths) {
    const [token0, token1] = [named(depth.token0), named(depth.token1)]
    if (token0 === token1) continue
    add(token0, token1, { depth, isForward: true })
    add(token1, token0, { depth, isForward: false })
  }
  return { from: (token) => edges.get(token) ?? nothing, size: depths.length }
}

/** Returns the edge's reserves, the amount of the sold token that it holds, and its maximum output. */
export function sidesOf({ depth, isForward }: Edge) {
  const { most0, most1, reserve0, reserve1 } = depth
  const { held0 = most0, held1 = most1 } = depth
  return isForward
    ? { reserveIn: reserve0, reserveOut: reserve1, held: held0, most: most1 }
    : { reserveIn: reserve1, reserveOut: reserve0, held: held1, most: most0 }
}
