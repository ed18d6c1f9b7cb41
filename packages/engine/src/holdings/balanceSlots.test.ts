import { encodeAbiParameters, keccak256, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { balanceSlots } from './balanceSlots.js'

const holder = '0x00000000000000000000000000000000000a11ce'

test('default: the layouts of Solidity, Vyper and solady, each once', () => {
  const slots = balanceSlots(holder)
  const solidity = (position: bigint) =>
    keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [holder, position]))
  expect(slots).toContain(solidity(0n))
  expect(slots).toContain(solidity(9n))
  expect(slots).toContain(
    keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'address' }], [3n, holder])),
  )
  // mstore(0x0c, seed); mstore(0x00, owner); keccak256(0x0c, 0x20)
  expect(slots).toContain(
    keccak256(`${pad(holder, { size: 20 })}${toHex(0x87a211a2, { size: 12 }).slice(2)}`),
  )
  expect(new Set(slots).size).toBe(slots.length)
})
