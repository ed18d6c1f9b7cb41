import type { Figure } from '../lib/figures.js'
import * as Oracle from '../optimizer/Oracle.js'
import { type Kind, kindNames, plainKindNames } from './attacks.js'
import { hookKindNames } from './hookAttacks.js'
import { type Before, judge, readBefore, type Verdict } from './judge.js'
import { openStage } from './openStage.js'
import type { Stage } from './Stage.js'

/** Budgets of attackers in US dollars. The largest can be withdrawn afterwards. */
const budgets = [10, 1_000, 1_000_000] as const
const markets = 500
/** Larger losses are reported with the command that repeats them. */
const TOLD_BPS = 1
/** Pools with less than this share of the trade, or with less than this value, must not move the floor. */
const DUST = { part: 1e-4, usd: 10 }

export type Options = { dir: string; seed?: number; count?: number; only?: readonly string[] }

type Case = Verdict & { number: number; tradeUsd: number }

/**
 * Measures what an attacker who adds pools and tokens can do to quotes. Each market is quoted, attacked with each budget in
 * turn, and quoted again, on a real node with real pools.
 *
 * `count` is the number of markets. `only` selects what to repeat: market numbers, kinds of attacks, and budgets like `$10`.
 */
export async function run({
  count = markets,
  dir,
  only = [],
  seed = 1,
}: Options): Promise<Figure[]> {
  const picked = pick(only)
  const oracle = await Oracle.load(dir)
  const cases: Case[] = []
  const numbers = picked.numbers ?? Array.from({ length: count }, (_, number) => number)
  for (const number of numbers) {
    const opened = await openStage(oracle, { dir, number, seed }, readBefore)
    const { found: before, stage } = opened
    try {
      for (const each of attacksOn(number, picked)) {
        const verdict = await judge(stage, oracle, {
          before,
          ...each,
          seed: seedOf(seed, number, each),
        })
        const told = { ...verdict, number, tradeUsd: stage.trade.usd }
        tell(seed, told, before, stage)
        cases.push(told)
      }
    } finally {
      await stage.close()
    }
  }
  return figuresOf(cases)
}

type Picked = {
  numbers: number[] | undefined
  kinds: Kind[] | undefined
  budgets: number[] | undefined
}

function pick(only: readonly string[]): Picked {
  const numbers = only.filter((word) => /^\d+$/.test(word)).map(Number)
  const usds = only.filter((word) => /^\$\d+$/.test(word)).map((word) => Number(word.slice(1)))
  const kinds = kindNames.filter((kind) => only.includes(kind))
  const known = numbers.length + usds.length + kinds.length
  if (known !== only.length)
    throw new Error(`Pass market numbers, budgets such as $10, and kinds: ${kindNames.join(', ')}.`)
  const or = <item>(items: item[]) => (items.length > 0 ? items : undefined)
  return { numbers: or(numbers), kinds: or(kinds), budgets: or(usds) }
}

/**
 * Kinds alternate over markets and budgets, so that all combinations occur: with each budget one without hooks, and one with
 * hooks for each market. Selected kinds run on each market.
 */
function attacksOn(number: number, picked: Picked): { kind: Kind; usd: number }[] {
  const usual = (picked.budgets ?? budgets).flatMap((usd) => {
    const turn = number + 5 * Math.max(0, (budgets as readonly number[]).indexOf(usd))
    const kinds = [plainKindNames[turn % plainKindNames.length]!]
    return (picked.kinds ?? kinds).map((kind) => ({ kind, usd }))
  })
  if (picked.kinds || picked.budgets) return usual
  const kind = hookKindNames[number % hookKindNames.length]!
  const usd = budgets[Math.floor(number / hookKindNames.length) % budgets.length]!
  return [...usual, { kind, usd }]
}

function seedOf(seed: number, number: number, { kind, usd }: { kind: Kind; usd: number }): number {
  return (
    seed * 7_919 +
    number * 104_729 +
    kindNames.indexOf(kind) * 31 +
    Math.round(Math.log10(usd)) * 1_009
  )
}

function isDust({ tradeUsd, usd }: Case): boolean {
  return usd <= Math.max(DUST.usd, tradeUsd * DUST.part)
}

function tell(seed: number, told: Case, before: Before, { trade }: Stage) {
  const replay = `npm run bench -- hostile ${told.number} ${told.kind} '$${told.usd}' --seed ${seed}`
  const size = `$${trade.usd.toPrecision(3)}, ${before.plain.plan!.route.legs.length} legs before`
  const say = (what: string) => console.error(`${what} (${size}): ${replay}`)
  for (const loss of told.losses) {
    const { failure, ironFloorBps, isInvalid, lost, misquoted, netOutBps, way } = loss
    if (isInvalid) say(`${way}: invalid plan, ${failure}`)
    if (lost) say(`${way}: route lost, ${failure ?? 'no reason'}`)
    if (misquoted) say(`${way}: pays another amount than quoted`)
    if (netOutBps > TOLD_BPS) say(`${way}: netOut ${netOutBps.toPrecision(4)} bps less`)
    if (ironFloorBps > TOLD_BPS && isDust(told))
      say(`${way}: floor ${ironFloorBps.toPrecision(4)} bps lower`)
  }
  for (const { by, truncated, way } of told.beaten)
    say(`${way}: bound beaten by ${(by * 100).toPrecision(4)} %${truncated ? ', truncated' : ''}`)
}

function figuresOf(cases: readonly Case[]): Figure[] {
  const sets = new Map<string, readonly Case[]>([['all', cases]])
  for (const usd of new Set(cases.map((one) => one.usd)))
    sets.set(
      `dollars-${usd}`,
      cases.filter((one) => one.usd === usd),
    )
  for (const kind of kindNames) {
    const own = cases.filter((one) => one.kind === kind)
    if (own.length > 0) sets.set(kind, own)
  }
  return [...sets].flatMap(([set, own]) => {
    const losses = own.flatMap((one) => one.losses)
    const worst = (values: readonly number[]) => Math.max(0, ...values)
    const rows: [string, number, string][] = [
      ['attacks', own.length, 'count'],
      ['netOut.worst', worst(losses.map(({ netOutBps }) => netOutBps)), 'bps'],
      ['netOut.over1', losses.filter(({ netOutBps }) => netOutBps > TOLD_BPS).length, 'count'],
      [
        'ironFloor.worst',
        worst(own.filter(isDust).flatMap((one) => one.losses.map((loss) => loss.ironFloorBps))),
        'bps',
      ],
      ['ironFloor.anyDepth', worst(losses.map(({ ironFloorBps }) => ironFloorBps)), 'bps'],
      ['routes.lost', losses.filter(({ lost }) => lost).length, 'count'],
      ['hooks.used', own.filter(({ usesHooks }) => usesHooks).length, 'count'],
      ['plans.invalid', losses.filter(({ isInvalid }) => isInvalid).length, 'count'],
      ['misquoted', losses.filter(({ misquoted }) => misquoted).length, 'count'],
      ['bounds.beaten', own.filter(({ beaten }) => beaten.length > 0).length, 'count'],
    ]
    return rows.map(([figure, value, unit]) => ({ bench: 'hostile', figure, value, unit, set }))
  })
}
