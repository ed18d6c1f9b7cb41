import { tokensParameters } from '@sluice/api'
import { getTokens, type TokensResponse } from '@sluice/sdk'
import type { Command } from '../command.js'
import { flagsFor } from '../flags.js'
import { table, withProgress } from '../output.js'
import { UsageError } from '../UsageError.js'

export const tokens: Command = {
  summary: 'List the tokens of a chain, or read some by address',
  positionals: ['chain'],
  flags: flagsFor(tokensParameters),
  examples: ['sluice tokens base', 'sluice tokens base --tokens 0x…,0x… --json'],
  async run({ chain, tokens: asked }, { client, io }) {
    if (typeof chain !== 'string')
      throw new UsageError('Missing chain. Example: sluice tokens base.')
    const some = typeof asked === 'string' ? asked.split(',') : undefined
    const body = await withProgress(io, 'Reading tokens', () =>
      getTokens(client, { chain, tokens: some }),
    )
    return { body, text: tokensTable(body) }
  },
}

function tokensTable({ leftOut, tokens: rows }: TokensResponse): string {
  const cells = rows.map(({ address, decimals, source, symbol }) => [
    symbol ?? 'no token',
    decimals === null ? '-' : String(decimals),
    address,
    source ?? '-',
  ])
  const more = leftOut === 0 ? [] : [`${leftOut} more tokens are on lists; ask by address.`]
  return [table([['SYMBOL', 'DECIMALS', 'ADDRESS', 'SOURCE'], ...cells]), ...more, ''].join('\n')
}
