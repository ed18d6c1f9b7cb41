import { type Address, type Hex, hexToBigInt, slice } from 'viem'
import * as Addresses from '../values/Addresses.js'
import * as Events from './Events.js'

/** The members of a log that tell of a swap. */
export type Log = {
  readonly address: string
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** A swap as the events of the Router tell it. Amounts are in base units. */
export type Swap = {
  readonly router: string
  /** Who called the Router, or whose signature paid. */
  readonly user: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly legs: bigint
  /** What was quoted, and the least that was accepted. The first generation announces neither. */
  readonly proof: { readonly quoted: bigint; readonly floor: bigint } | undefined
  /** What the protocol got; `undefined` if nothing was announced. */
  readonly fee: bigint | undefined
  readonly integratorFee: { readonly integrator: Address; readonly amount: bigint } | undefined
}

/**
 * The swaps of a transaction, in their order. Each Router announces the fees of a swap before it, and the proof after it, so that
 * several swaps of a transaction keep their own.
 *
 * @param routers Routers of all generations; events of other contracts tell nothing.
 */
export function swapsIn(logs: readonly Log[], routers: readonly string[]): readonly Swap[] {
  const ours = logs.filter(({ address }) =>
    routers.some((router) => Addresses.equal(router, address)),
  )
  return ours.flatMap((log, index) => {
    if (!isSwap(log)) return []
    const own = (each: Log) => Addresses.equal(each.address, log.address)
    const [user, tokenIn, tokenOut] = [1, 2, 3].map((at) => addressAt(log, at)) as [
      Address,
      Address,
      Address,
    ]
    const earlier = ours.slice(0, index).filter(own)
    const fees = earlier.slice(earlier.findLastIndex(isSwap) + 1)
    const fee = fees.findLast((each) => isOf(each, 'Fee', 1, 3) && addressAt(each, 1) === tokenOut)
    const taken = fees.findLast(
      (each) => isOf(each, 'IntegratorFee', 2, 1) && addressAt(each, 2) === tokenOut,
    )
    const next = ours.slice(index + 1).find(own)
    const proof = next !== undefined && isOf(next, 'ExecutionProof', 2, 4) ? next : undefined
    return [
      {
        ...{ router: log.address, user, tokenIn, tokenOut },
        ...{ amountIn: word(log, 0), amountOut: word(log, 1), legs: word(log, 2) },
        proof: proof && { quoted: word(proof, 0), floor: word(proof, 2) },
        fee: fee && word(fee, 0),
        integratorFee: taken && { integrator: addressAt(taken, 1), amount: word(taken, 0) },
      },
    ]
  })
}

function isSwap(log: Log): boolean {
  return isOf(log, 'Swap', 3, 3)
}

/** Whether a log is this event, with as many indexed arguments and words of data as it has. */
function isOf(
  { data, topics }: Log,
  name: keyof typeof Events.all,
  indexed: number,
  words: number,
): boolean {
  return (
    topics[0] === Events.all[name].topic0 &&
    topics.length === 1 + indexed &&
    data.length === 2 + 64 * words
  )
}

function addressAt({ topics }: Log, at: number): Address {
  return slice(topics[at]!, 12)
}

function word({ data }: Log, at: number): bigint {
  return hexToBigInt(slice(data, 32 * at, 32 * at + 32))
}
