import { type Address, type Hex, toFunctionSelector } from 'viem'
import * as Addresses from './Addresses.js'
import type * as Deployments from './Deployments.js'

/** What Staking says of itself, in base units of the protocol's token. */
export type Report = {
  /** Tokens that Staking holds. */
  readonly backing: bigint
  /** Tokens that it would have to pay if everybody left. */
  readonly owed: bigint
  readonly surplus: bigint
  readonly deficit: bigint
  readonly solvent: boolean
  /** backing / owed in 1e-18, rounded down; the greatest integer where nothing is owed. */
  readonly collateralRatioWad: bigint
  readonly totalStaked: bigint
  readonly rewardReserve: bigint
  readonly pendingRewards: bigint
}

export type FieldName = keyof Report

/** The members of `solvency()` in the order of their words, and what each stands for. */
export const fields: readonly {
  readonly name: FieldName
  readonly unit: 'SLU' | 'yes or no' | 'ratio'
  readonly meaning: string
}[] = [
  { name: 'backing', unit: 'SLU', meaning: 'What Staking holds.' },
  { name: 'owed', unit: 'SLU', meaning: 'What it would have to pay if everybody left now.' },
  { name: 'surplus', unit: 'SLU', meaning: 'Backing above what is owed.' },
  { name: 'deficit', unit: 'SLU', meaning: 'What is missing to pay everybody.' },
  { name: 'solvent', unit: 'yes or no', meaning: 'Whether backing covers what is owed.' },
  { name: 'collateralRatioWad', unit: 'ratio', meaning: 'Backing divided by owed, rounded down.' },
  { name: 'totalStaked', unit: 'SLU', meaning: 'Stakes that can be withdrawn.' },
  { name: 'rewardReserve', unit: 'SLU', meaning: 'Rewards set aside and not streamed yet.' },
  { name: 'pendingRewards', unit: 'SLU', meaning: 'Rewards earned and not claimed yet.' },
]

/** Calls that make a reading, each without arguments. */
export const selectors = {
  solvency: toFunctionSelector('function solvency()'),
  isSolvent: toFunctionSelector('function isSolvent()'),
} as const

/** What `cast` needs to decode the answer of `solvency()`. */
export const castSignature =
  'solvency()((uint256,uint256,uint256,uint256,bool,uint256,uint256,uint256,uint256))'

/** A block as a reading names it; `timestamp` is in unix seconds. */
export type Block = { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint }

/** What the chain said at one block. */
export type Reading = {
  readonly block: Block
  /** Unix milliseconds. */
  readonly readAt: number
  readonly report: Report
  /** The node's answers as they came. */
  readonly raw: { readonly solvency: Hex; readonly isSolvent: Hex }
}

/** Why there is no reading. */
export type UnreadableCode = 'rpc_unreachable' | 'rpc_stale' | 'bad_result' | 'not_served'

export type State =
  | { readonly kind: 'read'; readonly reading: Reading }
  /** Says nothing about solvency; `last` is the latest reading that there was. */
  | {
      readonly kind: 'unreadable'
      readonly code: UnreadableCode
      readonly reason: string
      readonly last: Reading | undefined
    }
  | { readonly kind: 'not_deployed' }

export type Status = 'solvent' | 'insolvent' | 'unknown' | 'not_deployed'

/** A generation on a chain, whether it has a Staking contract or not. */
export type Target = {
  readonly chainId: number
  /** Display name of the chain. */
  readonly name: string
  readonly version: string
  readonly staking: Address
  readonly core: Address
  /** The protocol's token, where the chain has it. */
  readonly slu: Address | null
}

/** Every generation on every chain of a deployments file. */
export function targetsOf({ chains }: Deployments.Deployments): readonly Target[] {
  return Object.entries(chains).flatMap(([key, { name, slu, versions }]) =>
    Object.entries(versions).map(([version, { core, staking }]) => {
      return { chainId: Number(key), name, version, staking, core, slu }
    }),
  )
}

export function isDeployed({ staking }: Pick<Target, 'staking'>): boolean {
  return !Addresses.equal(staking, Addresses.zero)
}

const wordDigits = 64
const noRatio = 2n ** 256n - 1n
const wad = 10n ** 18n

/** The words of an answer, each as 0x and 64 digits, in the order of `fields`. */
export function wordsOf(raw: Hex): readonly Hex[] {
  return raw
    .slice(2)
    .match(/.{64}/g)!
    .map((word): Hex => `0x${word}`)
}

/**
 * Reads what `solvency()` and `isSolvent()` answered. Strict: another length, a bool that is none or numbers that
 * contradict each other are no report, since a wrong "solvent" is worse than none.
 *
 * @returns The reason where it is no report.
 */
export function decode(raw: Reading['raw']): Report | { readonly problem: string } {
  const shape = new RegExp(`^0x[0-9a-f]{${wordDigits * fields.length}}$`)
  if (!shape.test(raw.solvency)) return { problem: 'solvency() did not answer with nine words' }
  const words = wordsOf(raw.solvency).map(BigInt)
  const at = (name: FieldName) => words[fields.findIndex((field) => field.name === name)]!
  if (at('solvent') > 1n) return { problem: 'solvent is neither yes nor no' }
  const report: Report = {
    backing: at('backing'),
    owed: at('owed'),
    surplus: at('surplus'),
    deficit: at('deficit'),
    solvent: at('solvent') === 1n,
    collateralRatioWad: at('collateralRatioWad'),
    totalStaked: at('totalStaked'),
    rewardReserve: at('rewardReserve'),
    pendingRewards: at('pendingRewards'),
  }
  const problem = problemOf(report, raw.isSolvent)
  return problem === undefined ? report : { problem }
}

/** What in a report contradicts the rest of it. */
function problemOf(report: Report, isSolvent: Hex): string | undefined {
  const { backing, owed } = report
  const difference = backing - owed
  const surplus = difference > 0n ? difference : 0n
  const deficit = difference < 0n ? -difference : 0n
  const ratio = owed === 0n ? noRatio : (backing * wad) / owed
  if (report.surplus !== surplus || report.deficit !== deficit)
    return 'surplus and deficit are not the difference of backing and owed'
  if (report.solvent !== difference >= 0n) return 'solvent contradicts backing and owed'
  if (report.collateralRatioWad !== ratio) return 'collateralRatioWad is not backing by owed'
  const word = `0x${(report.solvent ? 1 : 0).toString().padStart(wordDigits, '0')}`
  return isSolvent === word ? undefined : 'isSolvent() and solvency() contradict each other'
}

export function statusOf(state: State): Status {
  if (state.kind === 'unreadable') return 'unknown'
  if (state.kind === 'not_deployed') return state.kind
  return state.reading.report.solvent ? 'solvent' : 'insolvent'
}

/** The worst that is known: one insolvent contract outweighs all others, and one that cannot be read all solvent ones. */
export function overall(statuses: readonly Status[]): Status {
  const order = ['insolvent', 'unknown', 'solvent'] as const
  return order.find((status) => statuses.includes(status)) ?? 'not_deployed'
}

/** The ratio in percent with four decimals, rounded down; `undefined` where nothing is owed. */
export function percentOf({ collateralRatioWad, owed }: Report): string | undefined {
  if (owed === 0n) return undefined
  const scaled = collateralRatioWad / 10n ** 12n
  return `${scaled / 10_000n}.${(scaled % 10_000n).toString().padStart(4, '0')} %`
}
