import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as Addresses from '../values/Addresses.js'
import * as Chains from './Chains.js'
import * as KnownTokens from './KnownTokens.js'

test.each(Chains.all)('default: $name lists the connector tokens of its configuration', (chain) => {
  const file = new URL(`../../../deploy/chains/${chain.chainId}.json`, import.meta.url)
  const { connectorTokens } = JSON.parse(readFileSync(file, 'utf8')) as {
    connectorTokens: { symbol: string; address: string }[]
  }
  const known = KnownTokens.of(chain)
  const listed = known.map(({ address, symbol }) => `${symbol} ${address}`)
  expect(listed.sort()).toEqual(
    connectorTokens.map((each) => `${each.symbol} ${each.address}`).sort(),
  )
  for (const { address } of known) {
    expect(Addresses.parse(address)).toEqual({ ok: true, address })
    expect(KnownTokens.at(chain, address.toLowerCase() as typeof address)).toMatchObject({
      address,
    })
  }
})
