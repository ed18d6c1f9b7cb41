import {
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
} from 'viem'

/** Storage positions of the balance mapping, in the order of declaration. */
const positions: readonly bigint[] = [
  ...Array.from({ length: 13 }, (_, index) => BigInt(index)),
  51n,
  101n,
  // ERC-7201 namespace "openzeppelin.storage.ERC20".
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
]

/** Seed that solady's ERC20 hashes with the owner. */
const soladySeed = '0x87a211a2'

/** Storage slots that may hold a holder's balance, by the layouts of compilers and well-known libraries. */
export function balanceSlots(holder: Address): readonly Hex[] {
  const words = positions.map((position) => numberToHex(position, { size: 32 }))
  const owner = encodeAbiParameters([{ type: 'address' }], [holder])
  return [
    ...words.map((word) => keccak256(concatHex([owner, word]))),
    // Vyper hashes the position first.
    ...words.slice(0, 10).map((word) => keccak256(concatHex([word, owner]))),
    keccak256(concatHex([holder, numberToHex(0, { size: 8 }), soladySeed])),
  ]
}
