import { createHash } from 'node:crypto'
import { PlanCall, PlanChecks } from '@sluice/domain'
import type { Hex } from 'viem'
import { type ChainState, hasFreshHead } from '../ChainState.js'
import { type Head, isSameBlock } from '../heads/Head.js'
import { type refreshHeads, refreshHeadsBy } from '../heads/refreshHeads.js'
import type { Shared } from '../support/Shared.js'
import type { PlanAnswer, PlanAnswers, PlanAsk } from './PlanAnswer.js'

/** How long another process may take before nobody waits for it any more. */
const flightMs = 300
const pollMs = 15
/** Plans outlive their block a little, for processes whose nodes are behind. */
const blocksKept = 2

/**
 * Answers from what another process has computed for the latest block, or is computing now; asks the nodes otherwise,
 * and shares what they say. The keys hold the block's hash, so nothing there is ever out of date, and what is read is
 * held against the question and the block like a node's answer, so nothing there is believed either.
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
      shared.put(key, answer.data, blocksKept * state.chain.blockTimeMs)
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
  // Most of the time is left for asking after all.
  const left = (options.endsAt - performance.now()) / 2
  const endsAt = performance.now() + Math.min(flightMs, left)
  while (performance.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    const later = await look()
    if (later !== undefined) return later
  }
  return undefined
}

/** All plans or nothing: a part would have to be asked for anyway. */
function readAll(
  state: ChainState,
  asks: readonly PlanAsk[],
  head: Head,
  values: readonly (string | undefined)[],
): PlanAnswers | undefined {
  const answers: PlanAnswer[] = []
  for (const [index, value] of values.entries()) {
    const plan = value === undefined ? undefined : readPlan(state, asks[index]!, head, value)
    if (plan === undefined) return undefined
    answers.push({ kind: 'plan', plan })
  }
  return { answers, block: head, rpcTried: 0, hosts: new Set() }
}

function readPlan(state: ChainState, ask: PlanAsk, head: Head, value: string) {
  if (!/^0x[0-9a-f]+$/.test(value)) return undefined
  try {
    const plan = PlanCall.decode(value as Hex)
    const isOurs =
      PlanChecks.problem(plan, ask.question) === undefined &&
      plan.witness.chainId === BigInt(state.chain.chainId) &&
      isSameBlock(head, plan.witness)
    return isOurs ? plan : undefined
  } catch {
    return undefined
  }
}

/** The contract is part of the key: after a redeployment the same question has another answer. */
function keyOf({ chain }: ChainState, blockHash: Hex, { data, quoter }: PlanAsk): string {
  const digest = createHash('sha256').update(quoter).update(data).digest('base64url')
  return `q:${chain.chainId}:${blockHash}:${digest}`
}
