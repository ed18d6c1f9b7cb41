import { trialAbi } from '@sluice/abi'
import { Plan, PlanCall, PlanChecks } from '@sluice/domain'
import { BaseError, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import type { Bench } from '../Bench.js'
import type { Ask } from '../TrialCalls.js'
import type { Header } from './Block.js'

/** What Sluice would have paid, in base units of the output. */
export type Quoted = {
  readonly verdict: Plan.Verdict
  /** After the protocol's fee; zero without a route. */
  readonly netOut: bigint
  /** Before the protocol's fee. */
  readonly grossOut: bigint
  /** No routing over the pools that were read delivers more, before the fee; `null` if no bound is claimed. */
  readonly upperBound: bigint | null
  readonly gapBps: number | null
  readonly estGas: bigint
  readonly truncated: boolean
  readonly legs: readonly Plan.Leg[]
}

/** A quote, or why there is none. */
export type Answer = Quoted | { readonly failed: string }

/** A trade, and what the search is told beside it. */
export type Question = Omit<PlanCall.PlanQuestion, 'isExact' | 'amountOut'>

/** Quotes a trade at the block of `ask`, with contracts and a Hub that the call brings along. */
export async function quoteSwap(
  ask: Ask,
  bench: Bench,
  { header, question }: { header: Header; question: Question },
): Promise<Answer> {
  const answer = await ask(quoteCall(bench, question), bench.override)
  if (answer === undefined) return { failed: `The node rejected the call at ${header.number}.` }
  return readQuote(answer, { header, question })
}

/** Call of the Trial that configures the Hub and asks the Quoter. */
export function quoteCall({ args, contracts }: Bench, question: Question): Hex {
  const asked = PlanCall.encode({ ...question, isExact: false })
  return encodeFunctionData({
    abi: trialAbi,
    functionName: 'quote',
    args: [...args, contracts.quoter, asked],
  })
}

/** Decodes the Trial's answer, and compares it with what was asked, and with the block. */
export function readQuote(
  answer: Hex,
  { header, question }: { header?: Header; question: Question },
): Answer {
  const plan = decodePlan(answer)
  if (plan === undefined) return { failed: 'The node did not answer with a plan.' }
  const problem = PlanChecks.problem(plan, { ...question, isExact: false })
  if (problem) return { failed: `The plan is invalid: ${problem.reason}.` }
  if (header && !isOf(plan.witness, header))
    return { failed: `The node answered for another block than ${header.number}.` }
  const { estGas, netOut, route, truncated, verdict } = plan
  return {
    ...{ verdict, netOut, grossOut: route.grossOut },
    ...Plan.boundOf(plan),
    ...{ estGas, truncated, legs: route.legs },
  }
}

function decodePlan(answer: Hex): Plan.Plan | undefined {
  try {
    return PlanCall.decode(
      decodeFunctionResult({ abi: trialAbi, functionName: 'quote', data: answer }),
    )
  } catch (error) {
    const isMalformed = error instanceof BaseError || error instanceof PlanCall.UndecodablePlanError
    if (isMalformed) return undefined
    throw error
  }
}

function isOf(witness: Plan.Witness, { number, parentHash, timestamp }: Header): boolean {
  return (
    witness.blockNumber === BigInt(number) &&
    witness.timestamp === BigInt(timestamp) &&
    witness.parentHash === parentHash
  )
}
