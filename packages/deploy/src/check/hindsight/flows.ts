import { type Address, getAddress, type Hex, slice, toEventSelector, zeroAddress } from 'viem'
import type { ChainLog, Transaction } from './Block.js'

/** Net amounts by account and token: positive if the account received more than it gave. Zero amounts are left out. */
export type Flows = ReadonlyMap<Address, ReadonlyMap<Address, bigint>>

const transfer = toEventSelector('Transfer(address,address,uint256)')

/**
 * Adds up all transfers of a transaction. Native coin counts as its wrapped token, so that wrapping and unwrapping change nothing.
 * Transfers of native coin between contracts write no log: here are only those that the transaction sent itself.
 */
export function flowsOf(
  { from, logs, to, value }: Omit<Transaction, 'gasPrice' | 'hash'>,
  wrappedNative: Address,
): Flows {
  const flows = new Map<Address, Map<Address, bigint>>()
  const add = (account: Address, token: Address, amount: bigint) => {
    const own = flows.get(account) ?? new Map<Address, bigint>()
    const net = (own.get(token) ?? 0n) + amount
    if (net === 0n) own.delete(token)
    else own.set(token, net)
    flows.set(account, own)
  }
  const move = (token: Address, [giver, taker]: readonly [Address, Address], amount: bigint) => {
    // Tokens are created and destroyed at the zero address; the wrapped token is, on some chains, if native coin is wrapped.
    if (token === wrappedNative && (giver === zeroAddress || taker === zeroAddress)) return
    if (giver !== zeroAddress) add(giver, token, -amount)
    if (taker !== zeroAddress) add(taker, token, amount)
  }
  if (to !== undefined) move(wrappedNative, [from, to], value)
  for (const log of logs) {
    const parties = partiesOf(log)
    if (parties) move(log.address, parties, BigInt(log.data))
  }
  return flows
}

/** Giver and taker of a transfer. Transfers of NFTs have the same event with one topic more, and no data. */
function partiesOf({ data, topics }: ChainLog): readonly [Address, Address] | undefined {
  const [event, giver, taker] = topics
  if (event !== transfer || topics.length !== 3 || data.length !== 66) return undefined
  return [addressIn(giver!), addressIn(taker!)]
}

function addressIn(topic: Hex): Address {
  return getAddress(slice(topic, 12))
}

/** What an account gave and what it got. */
export function sidesOf(net: ReadonlyMap<Address, bigint> = new Map()): {
  readonly given: readonly (readonly [token: Address, amount: bigint])[]
  readonly got: readonly (readonly [token: Address, amount: bigint])[]
} {
  const all = [...net]
  return {
    given: all.flatMap(([token, amount]) => (amount < 0n ? [[token, -amount] as const] : [])),
    got: all.flatMap(([token, amount]) => (amount > 0n ? [[token, amount] as const] : [])),
  }
}
