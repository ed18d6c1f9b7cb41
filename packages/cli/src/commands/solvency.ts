import { Decimals, Solvency } from '@sluice/domain'
import { getSolvency, type SolvencyResponse } from '@sluice/sdk'
import type { Command } from '../command.js'
import { table, withProgress } from '../output.js'

export const solvency: Command = {
  summary: 'Compare what the Staking contract holds and owes, on every chain',
  flags: {},
  examples: ['sluice solvency', 'sluice solvency --json'],
  async run(_, { client, io }) {
    const body = await withProgress(io, 'Asking', () => getSolvency(client))
    return { body, text: textOf(body) }
  },
}

type Generation = SolvencyResponse['generations'][number]

const unknown = '?'

function textOf({ generations, status }: SolvencyResponse): string {
  const titles = ['CHAIN', 'VERSION', 'STATUS', 'BLOCK', 'BACKING', 'OWED', 'RATIO']
  const commands = generations.flatMap(({ reading }) => (reading === null ? [] : [reading.cast]))
  const again = commands.length === 0 ? '' : `\nRepeat it:\n${commands.map(indent).join('\n')}\n`
  return `${table([titles, ...generations.map(rowOf)])}\n\nTogether: ${status}\n${again}`
}

/** Shows `?` for values that could not be read, and `-` if no Staking contract is deployed: neither is zero. */
function rowOf({ name, problem, reading, status, version }: Generation): string[] {
  const said = problem === undefined ? status : `${status} (${problem.code})`
  if (reading === null) {
    const none = status === 'not_deployed' ? '-' : unknown
    return [name, version, said, none, none, none, none]
  }
  const { backing, collateralRatioWad, owed } = reading.solvency
  const ratio = { collateralRatioWad: BigInt(collateralRatioWad), owed: BigInt(owed) }
  return [
    name,
    version,
    said,
    String(reading.blockNumber),
    `${Decimals.toDisplay(BigInt(backing), 18, { digits: 2 })} SLU`,
    `${Decimals.toDisplay(BigInt(owed), 18, { digits: 2 })} SLU`,
    Solvency.percentOf(ratio) ?? 'nothing owed',
  ]
}

function indent(line: string): string {
  return `  ${line}`
}
