import { prepareQuote } from '@sluice/sdk'
import { prepare as prepareHere } from '@sluice/sdk/verify'
import type { Command } from '../command.js'
import { quoteFlags, readQuoteParameters } from '../flags.js'
import { table, withProgress } from '../output.js'
import { readPinned } from '../readPinned.js'

export const prepare: Command = {
  summary: 'Print the eth_call that computes a quote, for your own node',
  flags: {
    ...quoteFlags,
    deployments: {
      type: 'string',
      help: 'Prepare without the service, using the addresses in this file.',
    },
  },
  examples: [
    'sluice prepare --chain base --in WETH --out USDC --amount-in 1000000000000000000',
    'sluice prepare --chain base --in WETH --out USDC --amount-in 1000 > prepared.json',
  ],
  async run(values, { client, io }) {
    const parameters = readQuoteParameters(values)
    const path = values['deployments']
    const prepared =
      path === undefined
        ? await withProgress(io, 'Preparing', () => prepareQuote(client, parameters))
        : prepareHere(parameters, { registry: readPinned(io, String(path)) })
    const { call, curl, expiresAt } = prepared
    const text = [
      table([
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
    return { body: prepared, text }
  },
}
