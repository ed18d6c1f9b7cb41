import type { Address } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import { hexOf } from '../logs/Block.js'
import { LogsError } from '../logs/LogsError.js'
import { blockIn, headerCall } from '../logs/readRange.js'

/** Chains shorter than this are read from block 0, which is cheaper than the search. */
const shortChain = 5_000

/**
 * Finds the block in which the first of the contracts was created, with `eth_getCode`. Returns 0 if the node has no old
 * state: reading too much is slow, but reading too little is wrong.
 *
 * @returns `undefined` if none of them is deployed.
 * @throws LogsError if the node does not answer.
 */
export async function findFirstBlock(
  ask: AskNode,
  contracts: readonly Address[],
): Promise<number | undefined> {
  const [latest] = await ask([headerCall('latest')])
  const head = blockIn(latest!)
  if (head === undefined) throw new LogsError('unreachable', 'The node has no latest block.')
  const today = await hasCode(ask, contracts, 'latest')
  if (today === undefined) throw new LogsError('unreachable', 'The node does not return code.')
  if (!today) return undefined
  if (head.number < shortChain) return 0
  let [without, withCode] = [-1, head.number]
  while (withCode - without > 1) {
    const middle = Math.floor((without + withCode) / 2)
    const there = await hasCode(ask, contracts, hexOf(middle))
    if (there === undefined) return 0
    if (there) withCode = middle
    else without = middle
  }
  return withCode
}

/** Whether one of the contracts has code; `undefined` if the node does not answer. */
async function hasCode(
  ask: AskNode,
  contracts: readonly Address[],
  tag: string,
): Promise<boolean | undefined> {
  const outcomes = await ask(
    contracts.map((contract) => ({ method: 'eth_getCode', params: [contract, tag] })),
  )
  const codes = outcomes.map((outcome) => (outcome.ok ? outcome.result : undefined))
  if (!codes.every((code) => typeof code === 'string' && /^0x[0-9a-f]*$/.test(code)))
    return undefined
  return codes.some((code) => code !== '0x')
}
