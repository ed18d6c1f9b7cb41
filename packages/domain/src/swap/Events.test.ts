import { routerAbi } from '@sluice/abi'
import { type AbiEvent, keccak256, stringToBytes, toEventHash } from 'viem'
import { describe, expect, test } from 'vitest'
import * as Events from './Events.js'

describe('Events.all', () => {
  test('default: has the specified signatures', () => {
    const shown = Object.values(Events.all).map(({ signature, versions }) => [signature, versions])
    expect(shown).toEqual([
      ['Swap(address,address,address,uint256,uint256,uint256)', undefined],
      ['ExecutionProof(address,address,uint256,uint256,uint256,uint256)', '2.x'],
      ['Fee(address,uint256,uint256,uint256)', '2.x'],
      ['IntegratorFee(address,address,uint256)', '2.x'],
      ['Surplus(address,uint256)', '1.x'],
    ])
  })

  test('behavior: topics are the hashes of the signatures, and match the ABI of the Router', () => {
    for (const { signature, topic0 } of Object.values(Events.all))
      expect(topic0).toBe(keccak256(stringToBytes(signature)))
    const events = (routerAbi as readonly { type: string }[]).filter(
      ({ type }) => type === 'event',
    ) as unknown as AbiEvent[]
    const emitted = events.map((event) => [event.name, toEventHash(event)])
    expect(emitted).toEqual([
      ['Surplus', Events.all.Surplus.topic0],
      ['Swap', Events.all.Swap.topic0],
    ])
  })
})
