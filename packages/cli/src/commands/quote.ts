import { getQuote, type Quote } from '@sluice/sdk'
import { quote as quoteOnNode } from '@sluice/sdk/viem'
import { createPublicClient, http, type PublicClient } from 'viem'
import { amountFlag, amountOutFlag, readAmount } from '../amount.js'
import type { Answer, Command, Context } from '../command.js'
import { decimalsBy, decimalsOn } from '../decimals.js'
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
    amount: amountFlag,
    'amount-out': amountOutFlag,
    rpc: { type: 'string', help: 'Use this node instead of the service; needs --deployments.' },
    deployments: { type: 'string', help: 'File with the addresses you trust, for --rpc.' },
  },
  examples: [
    'sluice quote --chain base --amount "1.5 WETH" --out USDC',
    'sluice quote --chain base --in WETH --amount-out "2500 USDC"',
    'sluice quote --chain eth --in USDC --out ETH --amount-in 2500000000 --recipient 0x… --slippage-bps 50',
    'sluice quote --chain base --amount "1.5 WETH" --out USDC --overrides pending.json',
    'sluice quote --chain base --in WETH --out USDC --amount-in 1000 --rpc http://127.0.0.1:8545 --deployments deployments.json',
  ],
  async run(values, context) {
    const isOwn = values['rpc'] !== undefined
    const { interpretation, values: read } = await readAmount(
      values,
      isOwn ? decimalsOn(nodeOf(values)) : decimalsBy(context.client),
    )
    const parameters = readQuoteParameters(read, context.io)
    const answer = await withProgress(context.io, 'Looking for the best route', () =>
      isOwn ? askNode(values, parameters, context) : getQuote(context.client, parameters),
    )
    return answerOf(answer, interpretation)
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
  return await quoteOnNode(nodeOf(values), parameters, {
    registry,
    maxBlockAgeSec: Number.POSITIVE_INFINITY,
  })
}

function nodeOf(values: Values): PublicClient {
  return createPublicClient({ transport: http(String(values['rpc']), { retryCount: 0 }) })
}

/**
 * Prints the quote. The exit code tells whether it can be executed, or was quoted on the state that was asked for.
 *
 * @param interpretation How the amount was read, if it was given with a unit.
 */
export function answerOf(quote: Quote, interpretation?: string): Answer {
  const isGood = (quote.quote?.canExecute ?? true) || quote.overrides !== undefined
  const read = interpretation === undefined ? '' : `Read the amount as ${interpretation}.\n`
  return {
    body: interpretation === undefined ? quote : { ...quote, interpretation },
    text: `${read}${quoteTable(quote)}`,
    exitCode: isGood ? exitCodes.ok : exitCodes.noRoute,
  }
}
