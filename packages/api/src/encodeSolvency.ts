import { Abis, Solvency } from '@sluice/domain'
import type { BadgeResponse, SolvencyResponse } from './solvency.js'

type Generation = SolvencyResponse['generations'][number]

/** Badge for the status of all generations together. It is green only if they were read and are solvent. */
export function encodeBadge(status: Solvency.Status): BadgeResponse {
  const shared = { schemaVersion: 1, label: 'solvency' } as const
  switch (status) {
    case 'solvent':
      return { ...shared, message: 'solvent', color: 'brightgreen' }
    case 'insolvent':
      return { ...shared, message: 'insolvent', color: 'red', isError: true }
    case 'unknown':
      return { ...shared, message: 'unknown', color: 'lightgrey', isError: true }
    case 'not_deployed':
      return { ...shared, message: 'not deployed', color: 'lightgrey', isError: true }
  }
}

/**
 * Encodes the response of GET /api/solvency.
 *
 * @param options.rpcUrls Node URLs by chain id that may be shown: those of a devnet.
 */
export function encodeSolvency(
  entries: readonly Solvency.Entry[],
  options: { now: number; rpcUrls: ReadonlyMap<number, readonly string[]> },
): SolvencyResponse {
  const { now, rpcUrls } = options
  return {
    ok: true,
    status: Solvency.overall(entries.map(({ state }) => Solvency.statusOf(state))),
    now,
    generations: entries.map((entry) =>
      generationOf(entry, rpcUrls.get(entry.target.chainId)?.[0]),
    ),
  }
}

function generationOf({ history, state, target }: Solvency.Entry, rpcUrl?: string): Generation {
  const { chainId, core, name, staking, version } = target
  return {
    chainId,
    name,
    version,
    status: Solvency.statusOf(state),
    staking,
    core,
    abi: abiPathOf(version),
    reading: state.kind === 'read' ? readingOf(state.reading, target, rpcUrl) : null,
    ...(state.kind === 'unreadable' && { problem: { code: state.code, reason: state.reason } }),
    history: history.map(({ block, readAt, report: { backing, owed, solvent } }) => ({
      blockNumber: Number(block.number),
      readAt,
      backing: backing.toString(),
      owed: owed.toString(),
      solvent,
    })),
  }
}

/** Path of the Staking ABI of a version, or of the first version that has Staking if this one has none. */
function abiPathOf(version: string): string {
  const path = '/api/abi?contract=staking'
  return Abis.find('staking', version) === undefined ? path : `${path}&version=${version}`
}

function readingOf(
  reading: Solvency.Reading,
  target: Solvency.Target,
  rpcUrl: string | undefined,
): NonNullable<Generation['reading']> {
  const { block, ledger, raw, readAt, report } = reading
  const { cast, curl, rpcRequest } = Solvency.commandsOf(target, block, rpcUrl)
  const { collateralRatioWad, solvent, ...amounts } = report
  const text = (value: bigint | undefined) => value?.toString() ?? null
  return {
    blockNumber: Number(block.number),
    blockHash: block.hash,
    blockTimestamp: Number(block.timestamp),
    readAt,
    solvency: {
      backing: amounts.backing.toString(),
      owed: amounts.owed.toString(),
      surplus: amounts.surplus.toString(),
      deficit: amounts.deficit.toString(),
      solvent,
      collateralRatioWad: collateralRatioWad.toString(),
      totalStaked: amounts.totalStaked.toString(),
      rewardReserve: amounts.rewardReserve.toString(),
      pendingRewards: amounts.pendingRewards.toString(),
    },
    raw: { ...raw },
    rpcRequest,
    curl,
    cast,
    ledger: ledger.map(({ amounts: line, token: { address, decimals, symbol } }) => ({
      symbol,
      token: address,
      decimals: decimals ?? null,
      held: text(line?.held),
      t1: text(line?.t1),
      t2: text(line?.t2),
    })),
  }
}
