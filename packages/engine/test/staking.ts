import { Solvency } from '@sluice/domain'
import { type Hex, toHex } from 'viem'

/** A Staking contract's place in tests. */
export const staking = '0x00000000000000000000000000000000000057a1'

export const target: Solvency.Target = {
  chainId: 31_337,
  name: 'Bench',
  version: '2.0.0',
  staking,
  core: '0x000000000000000000000000000000000000c04e',
  slu: null,
}

const tokens = 10n ** 18n

/** A report that adds up. */
export function reportOf(backing: bigint, owed: bigint): Solvency.Report {
  return {
    backing,
    owed,
    surplus: backing > owed ? backing - owed : 0n,
    deficit: owed > backing ? owed - backing : 0n,
    solvent: backing >= owed,
    collateralRatioWad: owed === 0n ? 2n ** 256n - 1n : (backing * 10n ** 18n) / owed,
    totalStaked: owed / 2n,
    rewardReserve: owed / 4n,
    pendingRewards: owed - owed / 2n - owed / 4n,
  }
}

export const sound = reportOf(1_200_000n * tokens, 1_000_000n * tokens)
export const short = reportOf(900_000n * tokens, 1_000_000n * tokens)

/** The report as the contract encodes it. */
export function encodeReport(report: Solvency.Report): Hex {
  const words = Solvency.fields.map(({ name }) => toHex(BigInt(report[name]), { size: 32 }))
  return `0x${words.map((word) => word.slice(2)).join('')}`
}

/** What a fake node answers for the contract: both of its calls. */
export function stakingAnswers(report: Solvency.Report): Readonly<Record<Hex, Hex>> {
  return {
    [Solvency.selectors.solvency]: encodeReport(report),
    [Solvency.selectors.isSolvent]: toHex(report.solvent, { size: 32 }),
  }
}
