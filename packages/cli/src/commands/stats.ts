import { getStats, type StatsResponse } from '@sluice/sdk'
import type { Command } from '../command.js'
import { table, withProgress } from '../output.js'

export const stats: Command = {
  summary: 'Show fills, unique traders and the progress of the index, by chain',
  flags: {},
  examples: ['sluice stats', 'sluice stats --json'],
  async run(_, { client, io }) {
    const body = await withProgress(io, 'Asking', () => getStats(client))
    return { body, text: `${statsTable(body)}\n` }
  },
}

type Chain = StatsResponse['chains'][number]

const columns: readonly (readonly [title: string, cell: (chain: Chain) => string])[] = [
  ['CHAIN', ({ name }) => name],
  ['FILLS', ({ fills }) => shown(fills)],
  ['TRADERS', ({ uniqueTraders }) => shown(uniqueTraders)],
  ['FROM', ({ fromBlock }) => shown(fromBlock)],
  ['TO', ({ toBlock }) => shown(toBlock)],
  ['BEHIND', ({ lagBlocks }) => shown(lagBlocks)],
  ['INDEXED', ({ progress }) => (progress === null ? unknown : `${(100 * progress).toFixed(2)} %`)],
  ['STATE', ({ code }) => code ?? 'ok'],
]

/** Shown for a value that could not be read, which is not zero. */
const unknown = '?'

function statsTable({ chains, totals }: StatsResponse): string {
  const rows = chains.map((chain) => columns.map(([, cell]) => cell(chain)))
  const { chainsOk, chainsTotal, fills, uniqueTraders } = totals
  const total = `${chainsOk} of ${chainsTotal}`
  return table([
    columns.map(([title]) => title),
    ...rows,
    [total, shown(fills), shown(uniqueTraders), '', '', '', '', ''],
  ])
}

function shown(figure: number | null): string {
  return figure === null ? unknown : `${figure}`
}
