import { priceParameters } from '@sluice/api'
import { getPrice, type PriceResponse } from '@sluice/sdk'
import type { Command } from '../command.js'
import { flagsFor } from '../flags.js'
import { table, withProgress } from '../output.js'
import { UsageError } from '../UsageError.js'

export const price: Command = {
  summary: 'Price tokens in USD, by quotes of the service',
  positionals: ['chain', 'tokens'],
  flags: flagsFor(priceParameters),
  examples: ['sluice price base WETH,DAI', 'sluice price --chain eth --tokens 0x… --json'],
  async run({ chain, tokens }, { client, io }) {
    if (typeof chain !== 'string' || typeof tokens !== 'string')
      throw new UsageError('Missing chain or tokens. Example: sluice price base WETH,DAI.')
    const body = await withProgress(io, 'Quoting', () =>
      getPrice(client, { chain, tokens: tokens.split(',') }),
    )
    return { body, text: priceTable(body) }
  },
}

function priceTable({ prices }: PriceResponse): string {
  const rows = prices.map(({ address, block, buyUsd, reason, sellUsd, symbol, usd }) => [
    symbol ?? '-',
    address,
    usd === null ? `unknown: ${reason}` : `${usd} USD`,
    buyUsd ?? '-',
    sellUsd ?? '-',
    block === null ? '-' : String(block.number),
  ])
  return `${table([['SYMBOL', 'ADDRESS', 'PRICE', 'BUY', 'SELL', 'BLOCK'], ...rows])}\n`
}
