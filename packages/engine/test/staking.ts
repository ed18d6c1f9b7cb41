import { Solvency } from '@sluice/domain'
import { type Hex, toHex } from 'viem'

/** Address of the Staking contract in tests. */
export const staking = '0x00000000000000000000000000000000000057a1'

const core = '0x000000000000000000000000000000000000c04e'
const slu = '0x5100000000000000000000000000000000000000'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

export const target: Solvency.Target = {
  chainId: 31_337,
  name: 'Bench',
  version: '2.0.0',
  staking,
  core,
  slu,
  tokens: [
    { symbol: 'SLU', address: slu, decimals: 18 },
    { symbol: 'USDC', address: usdc, decimals: 6 },
  ],
}

const tokens = 10n ** 18n

/** A consistent report. */
export function reportOf(backing: bigint, owed: bigint): Solvency.Report {
  return {
    backing,
    owed,
    surplus: backing > owed ? backing - owed : 0n,
    deficit: owed > backing ? owed - backing : 0n,
    solvent: backing >= owed,
    collateralRatioWad: owed === 0n ? 2n ** 256n - 1n : (backing * 10n ** 18n) / owed,
    totalStaked: owed / 2n,
    rewardReserve: owed - owed / 2n,
    pendingRewards: owed / 4n,
  }
}

export const sound = reportOf(1_200_000n * tokens, 1_000_000n * tokens)
export const short = reportOf(900_000n * tokens, 1_000_000n * tokens)

/** The report as the contract encodes it. */
export function encodeReport(report: Solvency.Report): Hex {
  const words = Solvency.fields.map(({ name }) => toHex(BigInt(report[name]), { size: 32 }))
  return `0x${words.map((word) => word.slice(2)).join('')}`
}

/**
 * Answers of a fake node for a target: the contract, the token, and Core with a ledger line of 70 and 30 for each
 * token.
 */
export function stakingAnswers(
  report: Solvency.Report,
  of: Solvency.Target = target,
): Record<string, Hex> {
  const words = (...values: bigint[]): Hex =>
    `0x${values.map((value) => toHex(value, { size: 32 }).slice(2)).join('')}`
  const [own, flag, balance, ...ledger] = Solvency.callsOf(of).map(({ data, to }) =>
    `${to} ${data}`.toLowerCase(),
  )
  const lines = ledger.map((call, index) => [
    call,
    index % 2 === 0 ? words(70n, 30n) : words(100n + BigInt(index)),
  ])
  return {
    [own!]: encodeReport(report),
    [flag!]: words(report.solvent ? 1n : 0n),
    [balance!]: words(report.backing),
    ...Object.fromEntries(lines),
  }
}
