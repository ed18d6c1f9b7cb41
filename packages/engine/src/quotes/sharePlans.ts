import { createHash } from 'node:crypto'
import { PlanCall, PlanChecks } from '@sluice/domain'
import type { Hex } from 'viem'
import { type ChainState, hasFreshHead } from '../ChainState.js'
import { type Head, isSameBlock } from '../heads/Head.js'
import { type refreshHeads, refreshHeadsBy } from '../heads/refreshHeads.js'
import type { Shared } from '../support/Shared.js'
import type { PlanAnswer, PlanAnswers, PlanAsk } from './PlanAnswer.js'

/** Maximum wait for a plan that another process computes, in milliseconds. */
const flightMs = 300
const pollMs = 15
/** Number of block times that plans are kept, for processes whose nodes are behind. */
const blocksKept = 2

/**
 * Uses the plans that another process has computed for the latest block, or is computing now. Otherwise asks the nodes
 * and shares their answers. The keys contain the block hash, so entries are never out of date. Entries are checked like
 * a node's answer, so they need not be trusted.
 */
export async function sharePlans(
  state: ChainState,
  shared: Shared,
  asks: readonly PlanAsk[],
  options: refreshHeads.Options & { endsAt: number; ask: () => Promise<PlanAnswers> },
): Promise<PlanAnswers> {
  const asOf = performance.now()
  if (!hasFreshHead(state, asOf)) await refreshHeadsBy(state, { ...options, asOf })
  const head = hasFreshHead(state, asOf) ? state.head : undefined
  const found = head && (await find(state, shared, { asks, head, endsAt: options.endsAt }))
  if (found !== undefined) return found
  const result = await options.ask()
  const hash = result.block?.hash
  for (const [index, answer] of result.answers.entries())
    if (hash !== undefined && answer.kind === 'plan' && answer.data !== undefined) {
      const key = keyOf(state, hash, asks[index]!)
      shared.put(key, write(answer.data, answer.gas), blocksKept * state.chain.blockTimeMs)
    }
  return result
}

async function find(
  state: ChainState,
  shared: Shared,
  options: { asks: readonly PlanAsk[]; head: Head; endsAt: number },
): Promise<PlanAnswers | undefined> {
  const { asks, head } = options
  const keys = asks.map((ask) => keyOf(state, head.hash, ask))
  const look = async () => readAll(state, asks, head, await shared.get(keys))
  const found = await look()
  if (found !== undefined) return found
  if (await shared.claim(`flight:${keys[0]}:${keys.length}`, flightMs)) return undefined
  // At least half of the time is kept for asking nodes.
  const left = (options.endsAt - performance.now()) / 2
  const endsAt = performance.now() + Math.min(flightMs, left)
  while (performance.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    const later = await look()
    if (later !== undefined) return later
  }
  return undefined
}

/** Returns all plans, or `undefined` if any is missing: the rest would need a request anyway. */
function readAll(
  state: ChainState,
  asks: readonly PlanAsk[],
  head: Head,
  values: readonly (string | undefined)[],
): PlanAnswers | undefined {
  const answers: PlanAnswer[] = []
  for (const [index, value] of values.entries()) {
    const answer = value === undefined ? undefined : readPlan(state, asks[index]!, head, value)
    if (answer === undefined) return undefined
    answers.push(answer)
  }
  return { answers, block: head, rpcTried: 0, hosts: new Set() }
}

/** An entry: the return data, after the call's gas limit if the node's gas cap lowered it. */
function write(data: Hex, gas: bigint | undefined): string {
  return gas === undefined ? data : `${gas} ${data}`
}

const entryShape = /^(?:([1-9][0-9]{0,14}) )?(0x[0-9a-f]+)$/

function readPlan(
  state: ChainState,
  ask: PlanAsk,
  head: Head,
  value: string,
): PlanAnswer | undefined {
  const [, lowered, data] = entryShape.exec(value) ?? []
  if (data === undefined) return undefined
  const gas = lowered === undefined ? undefined : BigInt(lowered)
  if (gas !== undefined && gas >= PlanCall.fullGas) return undefined
  try {
    const plan = PlanCall.decode(data as Hex)
    const isOurs =
      PlanChecks.problem(plan, ask.question) === undefined &&
      plan.witness.chainId === BigInt(state.chain.chainId) &&
      isSameBlock(head, plan.witness)
    return isOurs ? { kind: 'plan', plan, ...(gas !== undefined && { gas }) } : undefined
  } catch {
    return undefined
  }
}

/** The key includes the Quoter: after a redeployment the same calldata has another answer. */
function keyOf({ chain }: ChainState, blockHash: Hex, { data, quoter }: PlanAsk): string {
  const digest = createHash('sha256').update(quoter).update(data).digest('base64url')
  return `q:${chain.chainId}:${blockHash}:${digest}`
}
