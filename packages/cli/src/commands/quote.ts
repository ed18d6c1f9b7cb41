import { getQuote, type Quote } from '@sluice/sdk'
import { quote as quoteOnNode } from '@sluice/sdk/viem'
import { createPublicClient, http } from 'viem'
import type { Answer, Command, Context } from '../command.js'
import { exitCodes } from '../exitCodes.js'
import { quoteFlags, readQuoteParameters, type Values } from '../flags.js'
import { withProgress } from '../output.js'
import { quoteTable } from '../quoteTable.js'
import { readPinned } from '../readPinned.js'
import { UsageError } from '../UsageError.js'

export const quote: Command = {
  summary: 'Find the best executable route for a trade',
  flags: {
    ...quoteFlags,
    rpc: { type: 'string', help: 'Use this node instead of the service; needs --deployments.' },
    deployments: { type: 'string', help: 'File with the addresses you trust, for --rpc.' },
  },
  examples: [
    'sluice quote --chain base --in WETH --out USDC --amount-in 1000000000000000000',
    'sluice quote --chain eth --in USDC --out ETH --amount-in 2500000000 --recipient 0x… --slippage-bps 50',
    'sluice quote --chain base --in WETH --out USDC --amount-in 1000 --rpc http://127.0.0.1:8545 --deployments deployments.json',
  ],
  async run(values, context) {
    const parameters = readQuoteParameters(values)
    const answer = await withProgress(context.io, 'Looking for the best route', () =>
      values['rpc'] === undefined
        ? getQuote(context.client, parameters)
        : askNode(values, parameters, context),
    )
    return answerOf(answer)
  },
}

async function askNode(
  values: Values,
  parameters: ReturnType<typeof readQuoteParameters>,
  { io }: Context,
): Promise<Quote> {
  const path = values['deployments']
  if (path === undefined)
    throw new UsageError('--rpc needs --deployments: the addresses you trust.')
  const registry = readPinned(io, String(path))
  const client = createPublicClient({ transport: http(String(values['rpc']), { retryCount: 0 }) })
  return await quoteOnNode(client, parameters, {
    registry,
    maxBlockAgeSec: Number.POSITIVE_INFINITY,
  })
}

/** Prints the quote. The exit code tells whether it can be executed. */
export function answerOf(quote: Quote): Answer {
  const canExecute = quote.quote?.canExecute ?? true
  return {
    body: quote,
    text: quoteTable(quote),
    exitCode: canExecute ? exitCodes.ok : exitCodes.noRoute,
  }
}
