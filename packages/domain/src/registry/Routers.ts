import type { Address } from 'viem'
import * as Addresses from '../values/Addresses.js'
import type { Deployments } from './Deployments.js'
import type { Registry } from './Registry.js'

/** The Routers of one chain: one for each deployed generation. */
export type ChainRouters = {
  readonly name: string
  /** Usual time between two blocks, in milliseconds. */
  readonly blockTimeMs: number
  readonly routers: readonly { readonly version: string; readonly address: Address }[]
}

/** Routers by chain id, for all chains in the deployments file and all served chains. */
export function from({ chains }: Deployments, served: Registry): ReadonlyMap<number, ChainRouters> {
  const deployed = Object.entries(chains).map(([chainId, { blockTimeMs, name, versions }]) => {
    const routers = Object.entries(versions)
      .map(([version, { router }]) => ({ version, address: router }))
      .filter(({ address }) => !Addresses.equal(address, Addresses.zero))
    return [Number(chainId), { name, blockTimeMs, routers }] as const
  })
  const others = [...served].map(
    ([chainId, { blockTimeMs, name }]) => [chainId, { name, blockTimeMs, routers: [] }] as const,
  )
  return new Map<number, ChainRouters>([...others, ...deployed])
}
