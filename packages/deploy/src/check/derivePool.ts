import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbiParameters,
} from 'viem'
import type { VenueEntry } from '../parseVenue.js'

/**
 * Address at which a venue creates the pool of two tokens, by CREATE2. Written apart from the contracts that derive it.
 *
 * @param pair The token of the lower address first.
 * @returns `undefined` if the kind's pools have no address of their own.
 */
export function derivePool(
  { deployer, initCodeHash, kind }: Pick<VenueEntry, 'deployer' | 'initCodeHash' | 'kind'>,
  pair: readonly [Address, Address],
  key: bigint,
): Address | undefined {
  const salt = saltOf(kind, pair, key)
  if (salt === undefined) return undefined
  return getCreate2Address({ from: deployer, salt, bytecodeHash: initCodeHash })
}

function saltOf(
  kind: VenueEntry['kind'],
  [a, b]: readonly [Address, Address],
  key: bigint,
): Hex | undefined {
  switch (kind) {
    case 'uniswapV2':
      return keccak256(encodePacked(['address', 'address'], [a, b]))
    case 'solidly':
      return keccak256(encodePacked(['address', 'address', 'bool'], [a, b, key === 1n]))
    case 'algebra':
      return keccak256(encodeAbiParameters(parseAbiParameters('address, address'), [a, b]))
    case 'uniswapV3':
    case 'slipstream':
      return keccak256(
        encodeAbiParameters(parseAbiParameters('address, address, uint256'), [a, b, key]),
      )
    default:
      return undefined
  }
}
