import { type PlanChecks, PoolHints } from '@sluice/domain'
import { type HintSet, membersOf, sureOut } from '@sluice/engine'
import { type Address, type Hex, maxUint256 } from 'viem'
import type { Oracle } from '../optimizer/Oracle.js'
import * as Random from '../optimizer/Random.js'
import { readMade } from '../quality/made/makeMarket.js'
import { marketOf, openMarket } from '../quality/made/oracleOf.js'
import { type Index, openIndex } from '../quality/openIndex.js'
import type { Attack } from './Attack.js'
import { type Answer, type AskOptions, ask, askPlan, assetsOf } from './ask.js'
import { drawAttack, type Kind } from './attacks.js'
import { type Mounted, mount } from './mount.js'
import { runOptimum, runRandom, usableOf } from './routings.js'
import type { Stage } from './Stage.js'

/** Ways to request a quote: without hints, with a gas price, with the attacker's tokens as hints, and with the hints
 * that the service's pool index proposes. */
export const ways = ['plain', 'priced', 'hinted', 'proposed'] as const
export type Way = (typeof ways)[number]

/** A trader's quotes before an attack. */
export type Before = {
  plain: Answer
  priced: Answer | undefined
  proposed: Answer
  gasPrice: bigint
}

/** Loss of a trader by an attack, for one way to request; in basis points of the net output before. */
export type Loss = {
  way: Way
  /** Whether there was a route that executes, and now there is none or it fails. */
  lost: boolean
  /** Whether the swap executes but pays another amount than quoted. */
  misquoted: boolean
  netOutBps: number
  ironFloorBps: number
  /** Why there is no plan, or it cannot be executed. */
  failure?: string | undefined
  /** Whether a plan failed the service's checks. */
  isInvalid: boolean
}

export type Verdict = {
  kind: Kind
  usd: number
  /** Number of pools that the attack created. */
  pools: number
  /** Whether a plan with the pool hints uses a pool with a hook. */
  usesHooks: boolean
  losses: readonly Loss[]
  /** Routes that paid more than the bound; `by` is relative to the bound. */
  beaten: readonly { way: Way; by: number; truncated: boolean }[]
}

/** US dollars per unit of gas: half a dollar for a leg of 100,000 gas. */
const GAS_USD = 5e-6
const RANDOM_ROUTINGS = 6
/** Maximum number of searches in which the index bans hints. */
const MOST_BANS = 12
/** Amount in wei that is quoted to learn whether the native token has a price. */
const SOME_WEI = 10n ** 15n
const BPS = 10_000

/** Returns the trader's quotes without an attack; undefined if there is no route. */
export async function readBefore(stage: Stage): Promise<Before | undefined> {
  const plain = await ask(stage)
  if (plain.delivered === 0n) return undefined
  const gasPrice = (await pricesNative(stage)) ? gasPriceOf(stage) : 0n
  return {
    plain,
    gasPrice,
    priced: gasPrice > 0n ? await ask(stage, { gasPrice }) : undefined,
    proposed: await askAsService(stage, plain),
  }
}

/** Executes an attack, measures, and reverts it. The seed determines everything. */
export async function judge(
  stage: Stage,
  oracle: Oracle,
  { before, kind, seed, usd }: { before: Before; kind: Kind; seed: number; usd: number },
): Promise<Verdict> {
  const { rpc } = stage.standing
  const random = Random.from(seed)
  const attack = drawAttack(kind, { random, scene: stage.scene, usd })
  const snapshot = await rpc.request<Hex>('evm_snapshot')
  try {
    const { hooked, mounted } = await mount(stage, attack)
    const hints = attack.tokens.map(({ spec }) => spec.address)
    const plain = await ask(stage)
    const losses = [lossOf('plain', before.plain, plain)]
    if (before.priced) {
      const priced = await ask(stage, { gasPrice: before.gasPrice })
      losses.push(lossOf('priced', before.priced, priced, (answer) => netOfGas(stage, answer)))
    }
    const answers: Partial<Record<Way, Answer>> = { plain }
    if (hooked.length > 0) {
      // A caller who names pools is responsible for them, like one who names tokens.
      answers.hinted = trusted(await askPlan(stage, { pools: hooked }))
      losses.push(lossOf('hinted', before.plain, answers.hinted))
      const proposed = await askTrial(stage, plain, { pools: hooked })
      losses.push(lossOf('proposed', before.plain, proposed))
    }
    if (hints.length > 0) {
      // Callers who pass hints are responsible for them: only the quote counts, not what hostile tokens do in the swap.
      answers.hinted = trusted(await askPlan(stage, { hints }))
      losses.push(lossOf('hinted', before.plain, answers.hinted))
      losses.push(lossOf('proposed', before.proposed, await askAsService(stage, plain)))
    }
    const beaten = await beat(stage, oracle, { answers, attack, mounted, random, hints })
    const usesHooks = usesPools(answers.hinted, hooked)
    return { kind, usd, pools: mounted.length + hooked.length, usesHooks, losses, beaten }
  } finally {
    await rpc.request('evm_revert', [snapshot])
  }
}

function usesPools(answer: Answer | undefined, pools: readonly PoolHints.PoolHint[]): boolean {
  const legs = answer?.plan?.route.legs ?? []
  return legs.some(({ key }) => pools.some((pool) => PoolHints.isOfKey(pool, key)))
}

/** The answer if the swap delivers what is quoted. */
function trusted(answer: Omit<Answer, 'delivered'>): Answer {
  const { plan } = answer
  return { ...answer, delivered: plan?.verdict === 'Executable' ? plan.netOut : 0n }
}

function lossOf(
  way: Way,
  before: Answer,
  after: Answer,
  netOf: (answer: Answer) => number = ({ plan }) => Number(plan?.netOut ?? 0n),
): Loss {
  const had = netOf(before)
  const lost = after.delivered === 0n && before.delivered > 0n
  const { failure, isInvalid = false } = after
  const told = { way, lost, failure, isInvalid }
  if (lost || !after.plan) return { ...told, misquoted: false, netOutBps: 0, ironFloorBps: 0 }
  const [floorBefore, floorAfter] = [before.plan!.ironFloor, after.plan.ironFloor].map(Number)
  const whole = Number(before.plan!.netOut)
  return {
    ...told,
    misquoted: after.delivered !== after.plan.netOut,
    netOutBps: had > 0 ? bpsOf(had - netOf(after), whole) : 0,
    ironFloorBps: bpsOf(floorBefore! - floorAfter!, whole),
  }
}

/** Returns how many basis points of the whole were lost; zero if there was nothing to lose. */
function bpsOf(loss: number, whole: number): number {
  return whole > 0 ? Math.max(0, (loss / whole) * BPS) : 0
}

/** Returns the output net of gas in base units of the output token, with gas at its honest price. */
function netOfGas({ scene }: Stage, { plan }: Answer): number {
  const { decimals, usd } = scene.tokenOut
  const cost = ((Number(plan?.estGas ?? 0n) * GAS_USD) / usd) * 10 ** decimals
  return Number(plan?.netOut ?? 0n) - cost
}

/** Whether a route of at most two hops, which is how far the contracts look, sells the native token. If none does, they do not
 * know what gas costs. */
async function pricesNative({ scene, standing, trade }: Stage): Promise<boolean> {
  const tokenIn = scene.spec.wrappedNative
  if (tokenIn === trade.tokenIn || tokenIn === trade.tokenOut) return true
  const asked = { ...trade, tokenIn, amountIn: String(SOME_WEI) }
  const { plan } = await askPlan({ standing, trade: asked })
  if (plan?.verdict !== 'Executable') return false
  const { legs } = plan.route
  const isSink = (token: string) => token.toLowerCase() === trade.tokenOut.toLowerCase()
  return legs.some(
    (first) =>
      first.tokenIn.toLowerCase() === tokenIn.toLowerCase() &&
      (isSink(first.tokenOut) ||
        legs.some((last) => last.tokenIn === first.tokenOut && isSink(last.tokenOut))),
  )
}

/** Returns the gas price in wei; zero if the market has no price of the native token. */
function gasPriceOf({ scene: { spec } }: Stage): bigint {
  const native = spec.tokens.find(({ address }) => address === spec.wrappedNative)!
  return BigInt(Math.round((GAS_USD / native.usd) * 10 ** native.decimals))
}

/**
 * Quotes like the service: asks its index for hints, and uses them if their dry run is sure to pay more than the plan without
 * hints.
 */
async function askAsService(stage: Stage, plain: Answer): Promise<Answer> {
  const index = await openIndex(stage.standing)
  try {
    const found = await proposed(index, assetsOf(stage.trade))
    const { connectors: hints, pools } = found
    if (membersOf(found).length === 0) return plain
    const trial = await ask(stage, { hints, pools, isExact: true })
    return trial.plan?.verdict === 'Executable' ? better(trial, plain, pools) : plain
  } finally {
    index.stop()
  }
}

/** The index proposes nothing at first if it has to ban hints, and searches again without these when it is asked again. */
async function proposed(index: Index, asked: PlanChecks.Trade): Promise<HintSet> {
  let hints = await index.propose(asked)
  for (let round = 1; round < MOST_BANS && membersOf(hints).length === 0; round++)
    hints = await index.propose(asked)
  return hints
}

/** Quotes like a service whose index proposes these pools: uses them only if a dry run with them is sure to pay more. */
async function askTrial(
  stage: Stage,
  plain: Answer,
  { pools }: Required<Pick<AskOptions, 'pools'>>,
): Promise<Answer> {
  const trial = await ask(stage, { pools, isExact: true })
  if (trial.plan?.verdict === 'Executable') return better(trial, plain, pools)
  const { failure, isInvalid } = trial
  return isInvalid ? { ...plain, failure, isInvalid } : plain
}

function better(trial: Answer, plain: Answer, pools: readonly PoolHints.PoolHint[] = []): Answer {
  return sureOut(trial.plan!, pools) > (plain.plan?.netOut ?? 0n) ? trial : plain
}

/** Executes the oracle's best flow and random routes, and compares their outputs with each claimed bound. */
async function beat(
  stage: Stage,
  oracle: Oracle,
  {
    answers,
    attack,
    hints,
    mounted,
    random,
  }: {
    answers: Partial<Record<Way, Answer>>
    attack: Attack
    hints: readonly Address[]
    mounted: readonly Mounted[]
    random: Random.Random
  },
): Promise<Verdict['beaten']> {
  const { scene, standing, trade } = stage
  const made = [...standing.made, ...(await readMade(standing.rpc, mounted))]
  const tokens = [...scene.spec.tokens, ...attack.tokens.map(({ spec }) => spec)]
  const market = marketOf(stage.name, tokens, made)
  const placed = [
    ...standing.made.map(({ id, spec }) => ({
      id,
      spec,
      address: standing.pools.get(id)!.address,
    })),
    ...mounted,
  ]
  const usables = usableOf(
    scene.spec,
    standing.venues.map(({ id }) => id),
    placed,
  )
  const beaten: { way: Way; by: number; truncated: boolean }[] = []
  for (const [way, answer] of Object.entries(answers) as [Way, Answer][]) {
    const plan = answer.plan
    if (plan?.verdict !== 'Executable' || plan.upperBound === maxUint256) continue
    const inPlay = [
      ...new Set([
        trade.tokenIn,
        trade.tokenOut,
        ...standing.connectors,
        ...(way === 'hinted' ? hints : []),
      ]),
    ]
    let most = 0n
    const note = (paid: bigint) => {
      if (paid > most) most = paid
    }
    try {
      const read = openMarket(oracle, market, { pools: made, tokens: new Set(inPlay) })
      note(await runOptimum(stage, oracle, read, usables))
    } catch {
      // The oracle's floats cannot represent every price.
    }
    for (let k = 0; k < RANDOM_ROUTINGS; k++) note(await runRandom(stage, random, usables, inPlay))
    if (most > plan.upperBound)
      beaten.push({
        way,
        by: Number(most) / Number(plan.upperBound) - 1,
        truncated: plan.truncated,
      })
  }
  return beaten
}
