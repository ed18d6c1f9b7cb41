import { prepareQuote } from '@sluice/sdk'
import { prepare as prepareHere } from '@sluice/sdk/verify'
import { amountFlag, amountOutFlag, readAmount } from '../amount.js'
import type { Command } from '../command.js'
import { decimalsBy } from '../decimals.js'
import { quoteFlags, readQuoteParameters } from '../flags.js'
import { table, withProgress } from '../output.js'
import { readPinned } from '../readPinned.js'

export const prepare: Command = {
  summary: 'Print the eth_call that computes a quote, for your own node',
  flags: {
    ...quoteFlags,
    amount: amountFlag,
    'amount-out': amountOutFlag,
    deployments: {
      type: 'string',
      help: 'Prepare without the service, using the addresses in this file.',
    },
  },
  examples: [
    'sluice prepare --chain base --amount "1.5 WETH" --out USDC',
    'sluice prepare --chain base --in WETH --out USDC --amount-in 1000 > prepared.json',
  ],
  async run(values, { client, io }) {
    const path = values['deployments']
    // With a file, no service is asked, not even for decimals.
    const decimals = path === undefined ? decimalsBy(client) : async () => undefined
    const { interpretation, values: read } = await readAmount(values, decimals)
    const parameters = readQuoteParameters(read, io)
    const prepared =
      path === undefined
        ? await withProgress(io, 'Preparing', () => prepareQuote(client, parameters))
        : prepareHere(parameters, { registry: readPinned(io, String(path)) })
    const { call, curl, expiresAt } = prepared
    const text = [
      table([
        ...(interpretation === undefined ? [] : [['Amount', interpretation]]),
        ['Quoter', call.to],
        ['Function', call.signature],
        ['Decode by', new Date(expiresAt).toISOString()],
      ]),
      '',
      'Ask your node:',
      `  ${curl}`,
      '',
      'Keep the request with --json > prepared.json, then:',
      '  sluice decode --request prepared.json --result 0x…',
      '',
    ].join('\n')
    const body = interpretation === undefined ? prepared : { ...prepared, interpretation }
    return { body, text }
  },
}
