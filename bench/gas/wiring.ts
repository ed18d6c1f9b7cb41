import { hubAbi } from '@sluice/abi'
import type { Rpc } from '@sluice/deploy'
import type { DevnetChain } from '@sluice/devnet'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  encodePacked,
  type Hex,
} from 'viem'
import type { Hop } from './columns.js'

/** What the routers of others are created with. */
export type Wiring = {
  wrappedNative: Address
  v2: { factory: Address; initCodeHash: Hex }
  v3: { factory: Address; initCodeHash: Hex }
  poolManager: Address
  feeRecipient: Address
}

/** Reads from a chain's Hub where its venues stand. */
export async function readWiring(rpc: Rpc, chain: DevnetChain, hub: Address): Promise<Wiring> {
  const read = async (functionName: 'venues' | 'wrappedNative' | 'settlement'): Promise<Hex> =>
    rpc.request<Hex>('eth_call', [
      { to: hub, data: encodeFunctionData({ abi: hubAbi, functionName }) },
      'latest',
    ])
  const venues = decodeFunctionResult({
    abi: hubAbi,
    functionName: 'venues',
    data: await read('venues'),
  })
  const [feeRecipient] = decodeFunctionResult({
    abi: hubAbi,
    functionName: 'settlement',
    data: await read('settlement'),
  })
  const wrappedNative = decodeFunctionResult({
    abi: hubAbi,
    functionName: 'wrappedNative',
    data: await read('wrappedNative'),
  })
  const venueOf = (name: string) => {
    const { deployer, initCodeHash } = venues[chain.venues.indexOf(name)]!.venue
    return { factory: deployer, initCodeHash }
  }
  return {
    wrappedNative,
    feeRecipient,
    v2: venueOf('uniswap-v2'),
    v3: venueOf('uniswap-v3'),
    poolManager: venueOf('uniswap-v4').factory,
  }
}

/** Tokens and fees of a path of Uniswap V3, packed. */
export function v3Path(hops: readonly Hop[]): Hex {
  const rest = hops.map((hop) =>
    encodePacked(['uint24', 'address'], [hop.pool.feePips, hop.tokenOut]).slice(2),
  )
  return `${hops[0]!.tokenIn}${rest.join('')}`
}
