import { type Address, type Hex, toFunctionSelector } from 'viem'
import * as Decimals from '../chains/Decimals.js'
import * as KnownTokens from '../chains/KnownTokens.js'
import * as Preparation from '../prepare/Preparation.js'
import type * as Deployments from '../registry/Deployments.js'
import * as Addresses from '../values/Addresses.js'
import * as Words from '../values/Words.js'

/** Result of `solvency()` of the Staking contract. Amounts are in base units of SLU. */
export type Report = {
  /** SLU that Staking holds. */
  readonly backing: bigint
  /** SLU that Staking must be able to pay: totalStaked + rewardReserve. */
  readonly owed: bigint
  readonly surplus: bigint
  readonly deficit: bigint
  readonly solvent: boolean
  /** backing / owed, scaled by 1e18 and rounded down; the maximum uint256 if nothing is owed. */
  readonly collateralRatioWad: bigint
  readonly totalStaked: bigint
  readonly rewardReserve: bigint
  readonly pendingRewards: bigint
}

export type FieldName = keyof Report

/** Members of the result of `solvency()`, in the order of the ABI, with their meaning. */
export const fields: readonly {
  readonly name: FieldName
  readonly unit: 'SLU' | 'yes or no' | 'ratio'
  readonly meaning: string
}[] = [
  { name: 'backing', unit: 'SLU', meaning: 'SLU that Staking holds.' },
  {
    name: 'owed',
    unit: 'SLU',
    meaning: 'SLU that Staking must be able to pay: totalStaked + rewardReserve.',
  },
  { name: 'surplus', unit: 'SLU', meaning: 'backing - owed, if positive.' },
  { name: 'deficit', unit: 'SLU', meaning: 'owed - backing, if positive.' },
  { name: 'solvent', unit: 'yes or no', meaning: 'Whether backing is at least owed.' },
  {
    name: 'collateralRatioWad',
    unit: 'ratio',
    meaning:
      'backing / owed, scaled by 1e18 and rounded down; the maximum uint256 if nothing is owed.',
  },
  { name: 'totalStaked', unit: 'SLU', meaning: 'Sum of all stakes.' },
  {
    name: 'rewardReserve',
    unit: 'SLU',
    meaning: 'SLU reserved for rewards: earned, being paid out, and waiting for the next epoch.',
  },
  {
    name: 'pendingRewards',
    unit: 'SLU',
    meaning: 'Part of rewardReserve that stakers have earned so far.',
  },
]

/** Selectors of the functions that a reading calls. */
export const selectors = {
  solvency: toFunctionSelector('function solvency()'),
  isSolvent: toFunctionSelector('function isSolvent()'),
  balanceOf: toFunctionSelector('function balanceOf(address)'),
  ledger: toFunctionSelector('function ledger(address)'),
} as const

/** One call of a reading. */
export type Call = { readonly to: Address; readonly data: Hex }

/** Signature that `cast` needs to decode the result of `solvency()`. */
export const castSignature =
  'solvency()((uint256,uint256,uint256,uint256,bool,uint256,uint256,uint256,uint256))'

/** Block of a reading; `timestamp` is in unix seconds. */
export type Block = { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint }

/** Solvency of one deployment at one block. */
export type Reading = {
  readonly block: Block
  /** Unix milliseconds. */
  readonly readAt: number
  readonly report: Report
  /** The unmodified results of the node. */
  readonly raw: Raw
  /** Core's ledger of the target's tokens; empty if no Core is deployed. */
  readonly ledger: readonly LedgerLine[]
}

/** The unmodified results of the node, so that readers can decode them themselves. */
export type Raw = {
  readonly solvency: Hex
  readonly isSolvent: Hex
  /** Balance of Staking according to the token; absent if the chain does not have SLU. */
  readonly balance?: Hex | undefined
}

/** Core's balance of a token, and the parts recorded for stakers (T1) and the treasury (T2). */
export type LedgerLine = {
  readonly token: LedgerToken
  /** Base units; `undefined` if the balance or the ledger could not be read. */
  readonly amounts: { readonly held: bigint; readonly t1: bigint; readonly t2: bigint } | undefined
}

/** A token in Core's ledger. */
export type LedgerToken = {
  readonly symbol: string
  readonly address: Address
  readonly decimals: number | undefined
}

/** Why there is no reading. */
export type UnreadableCode = 'rpc_unreachable' | 'rpc_stale' | 'bad_result' | 'not_served'

/** What is known about the solvency of one deployment. */
export type State =
  | { readonly kind: 'read'; readonly reading: Reading }
  /** The contract could not be read, so its solvency is unknown. `last` is the latest earlier reading. */
  | {
      readonly kind: 'unreadable'
      readonly code: UnreadableCode
      readonly reason: string
      readonly last: Reading | undefined
    }
  | { readonly kind: 'not_deployed' }

/** Solvency of a deployment. `unknown` means that it could not be read. */
export type Status = 'solvent' | 'insolvent' | 'unknown' | 'not_deployed'

/** A generation on a chain, whether it has a Staking contract or not. */
export type Target = {
  readonly chainId: number
  /** Display name of the chain. */
  readonly name: string
  readonly version: string
  readonly staking: Address
  readonly core: Address
  /** The protocol's token; null if the chain does not have it. */
  readonly slu: Address | null
  /** Tokens to read from Core's ledger. */
  readonly tokens: readonly LedgerToken[]
}

/** Every generation on every chain of a deployments file. */
export function targetsOf({ chains }: Deployments.Deployments): readonly Target[] {
  return Object.entries(chains).flatMap(([key, { name, slu, usdc, versions, wrappedNative }]) => {
    const chainId = Number(key)
    const tokens = [
      ...(slu === null ? [] : [{ symbol: 'SLU', address: slu, decimals: 18 }]),
      { symbol: 'WETH', address: wrappedNative, decimals: 18 },
      {
        symbol: KnownTokens.dollarOf(chainId).symbol,
        address: usdc,
        decimals: Decimals.find(chainId, usdc),
      },
    ]
    return Object.entries(versions).map(([version, { core, staking }]) => {
      return { chainId, name, version, staking, core, slu, tokens }
    })
  })
}

/** Call of `solvency()`, which returns the whole report. */
export function reportCall({ staking }: Pick<Target, 'staking'>): Call {
  return { to: staking, data: selectors.solvency }
}

/** A target with its state and its latest readings, newest first. */
export type Entry = {
  readonly target: Target
  readonly state: State
  readonly history: readonly Reading[]
}

/** Ways to repeat the call of `solvency()` on your own node, at the block of a reading. */
export type Commands = {
  readonly rpcRequest: {
    readonly jsonrpc: '2.0'
    readonly id: 1
    readonly method: 'eth_call'
    readonly params: [Call, { readonly blockHash: Hex }]
  }
  readonly curl: string
  readonly cast: string
}

/** Commands that repeat a reading. @param rpcUrl Node URL if `RPC_URL` is not set: that of a devnet. */
export function commandsOf(
  target: Pick<Target, 'staking'>,
  { hash, number }: Pick<Block, 'hash' | 'number'>,
  rpcUrl?: string,
): Commands {
  const rpcRequest = {
    jsonrpc: '2.0' as const,
    id: 1 as const,
    method: 'eth_call' as const,
    params: [reportCall(target), { blockHash: hash }] as [Call, { blockHash: Hex }],
  }
  const url = rpcUrl === undefined ? '$RPC_URL' : `\${RPC_URL:-${rpcUrl}}`
  const cast = `cast call ${target.staking} '${castSignature}' --block ${number} --rpc-url "${url}"`
  return { rpcRequest, curl: Preparation.curlOf(rpcRequest, rpcUrl), cast }
}

/** All calls of a reading, in the order that `readAnswers` expects. */
export function callsOf({ core, slu, staking, tokens }: Target): readonly Call[] {
  const balance = (token: Address, holder: Address) => {
    return { to: token, data: `${selectors.balanceOf}${Words.address(holder)}` } as const
  }
  const hasCore = !Addresses.equal(core, Addresses.zero)
  return [
    reportCall({ staking }),
    { to: staking, data: selectors.isSolvent },
    ...(slu === null ? [] : [balance(slu, staking)]),
    ...(hasCore ? tokens : []).flatMap(({ address }) => [
      { to: core, data: `${selectors.ledger}${Words.address(address)}` } as const,
      balance(address, core),
    ]),
  ]
}

/** Reads the results of `callsOf`; `undefined` is a call that reverted. */
export function readAnswers(
  { slu, tokens }: Target,
  answers: readonly (Hex | undefined)[],
): { readonly raw: Raw | undefined; readonly ledger: readonly LedgerLine[] } {
  const [solvency, isSolvent, ...others] = answers
  const balance = slu === null ? undefined : others.shift()
  const isWhole = solvency && isSolvent && (slu === null || balance)
  const raw = isWhole ? { solvency, isSolvent, ...(balance && { balance }) } : undefined
  const lines = others.length === 0 ? [] : tokens
  const ledger = lines.map((token, index) => {
    return { token, amounts: amountsOf(others[2 * index], others[2 * index + 1]) }
  })
  return { raw, ledger }
}

function amountsOf(line: Hex | undefined, balance: Hex | undefined): LedgerLine['amounts'] {
  if (line?.length !== 2 + 2 * wordDigits || balance?.length !== 2 + wordDigits) return undefined
  const [t1, t2] = wordsOf(line).map(BigInt)
  return { held: BigInt(balance), t1: t1!, t2: t2! }
}

/** Whether the generation has a Staking contract on the chain. */
export function isDeployed({ staking }: Pick<Target, 'staking'>): boolean {
  return !Addresses.equal(staking, Addresses.zero)
}

const wordDigits = 64
const noRatio = 2n ** 256n - 1n
const wad = 10n ** 18n

/** Splits a result into words of 32 bytes, in the order of `fields`. */
export function wordsOf(raw: Hex): readonly Hex[] {
  return raw
    .slice(2)
    .match(/.{64}/g)!
    .map((word): Hex => `0x${word}`)
}

/**
 * Decodes the results of `solvency()`, `isSolvent()` and the token's `balanceOf`. Strict: rejects a wrong length, an invalid
 * boolean and numbers that contradict each other, because a wrong "solvent" is worse than "unknown".
 *
 * @returns The report, or why the results are invalid.
 */
export function decode(raw: Raw): Report | { readonly problem: string } {
  const shape = new RegExp(`^0x[0-9a-f]{${wordDigits * fields.length}}$`)
  if (!shape.test(raw.solvency)) return { problem: 'solvency() did not return nine words' }
  const words = wordsOf(raw.solvency).map(BigInt)
  const at = (name: FieldName) => words[fields.findIndex((field) => field.name === name)]!
  if (at('solvent') > 1n) return { problem: 'solvent is neither 0 nor 1' }
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
  const problem = problemOf(report) ?? contradictionOf(report, raw)
  return problem === undefined ? report : { problem }
}

/** Which members of a report contradict each other. */
function problemOf(report: Report): string | undefined {
  const { backing, owed } = report
  const difference = backing - owed
  const surplus = difference > 0n ? difference : 0n
  const deficit = difference < 0n ? -difference : 0n
  const ratio = owed === 0n ? noRatio : (backing * wad) / owed
  if (owed !== report.totalStaked + report.rewardReserve)
    return 'owed is not totalStaked + rewardReserve'
  if (report.pendingRewards > report.rewardReserve) return 'pendingRewards is above rewardReserve'
  if (report.surplus !== surplus || report.deficit !== deficit)
    return 'surplus and deficit are not the difference of backing and owed'
  if (report.solvent !== difference >= 0n) return 'solvent contradicts backing and owed'
  return report.collateralRatioWad === ratio
    ? undefined
    : 'collateralRatioWad is not backing / owed'
}

/** Which other result contradicts a report. */
function contradictionOf({ backing, solvent }: Report, raw: Raw): string | undefined {
  if (raw.isSolvent !== wordOf(solvent ? 1n : 0n))
    return 'isSolvent() and solvency() contradict each other'
  if (raw.balance !== undefined && raw.balance !== wordOf(backing))
    return 'backing is not the balance that the token reports'
  return undefined
}

function wordOf(value: bigint): Hex {
  return `0x${Words.integer(value)}`
}

/** Status of a state. */
export function statusOf(state: State): Status {
  if (state.kind === 'unreadable') return 'unknown'
  if (state.kind === 'not_deployed') return state.kind
  return state.reading.report.solvent ? 'solvent' : 'insolvent'
}

/** The worst status, in the order insolvent, unknown, solvent; `not_deployed` only if nothing is deployed. */
export function overall(statuses: readonly Status[]): Status {
  const order = ['insolvent', 'unknown', 'solvent'] as const
  return order.find((status) => statuses.includes(status)) ?? 'not_deployed'
}

/** Collateral ratio in percent with four decimals, rounded down; `undefined` if nothing is owed. */
export function percentOf(report: Pick<Report, 'collateralRatioWad' | 'owed'>): string | undefined {
  const { collateralRatioWad, owed } = report
  if (owed === 0n) return undefined
  const scaled = collateralRatioWad / 10n ** 12n
  return `${scaled / 10_000n}.${(scaled % 10_000n).toString().padStart(4, '0')} %`
}
