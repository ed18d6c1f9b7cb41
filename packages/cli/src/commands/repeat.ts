import { type Overrides, parseQuote } from '@sluice/sdk'
import { repeatQuote } from '@sluice/sdk/viem'
import { createPublicClient, http } from 'viem'
import type { Command } from '../command.js'
import { exitCodes } from '../exitCodes.js'
import { withProgress } from '../output.js'
import { readJson } from '../readJson.js'
import { readPinned } from '../readPinned.js'
import { UsageError } from '../UsageError.js'

export const repeat: Command = {
  summary: 'Repeat a quote on your own node, on its block',
  flags: {
    quote: {
      type: 'string',
      isRequired: true,
      help: 'File with the JSON output of quote; - is stdin.',
    },
    rpc: { type: 'string', isRequired: true, help: 'Your node.' },
    deployments: {
      type: 'string',
      isRequired: true,
      help: 'File with the addresses you trust.',
    },
    overrides: {
      type: 'string',
      help: 'File with the state that you asked for, if quote had --overrides.',
    },
  },
  examples: [
    'sluice quote --chain base --in WETH --out USDC --amount-in 1000 --json > quote.json',
    'sluice repeat --quote quote.json --rpc http://127.0.0.1:8545 --deployments deployments.json',
  ],
  async run(values, { io }) {
    const { deployments, overrides, quote: path, rpc } = values
    if (path === undefined || rpc === undefined || deployments === undefined)
      throw new UsageError('Missing: --quote, --rpc and --deployments.')
    const served = parseQuote(readJson(io, String(path)))
    const registry = readPinned(io, String(deployments))
    const client = createPublicClient({ transport: http(String(rpc), { retryCount: 0 }) })
    const { isSame, own } = await withProgress(io, 'Asking your node', () =>
      repeatQuote(client, served, {
        ...{ registry, maxBlockAgeSec: Number.POSITIVE_INFINITY },
        ...(overrides !== undefined && {
          overrides: readJson(io, String(overrides)) as Overrides,
        }),
      }),
    )
    const amounts = { amountOut: served.amountOut, ownAmountOut: own.amountOut }
    const block = served.meta?.call?.blockNumber
    const text = isSame
      ? `Your node computes the same at block ${block}: ${own.amountOut} out, to the wei.\n`
      : `Your node computes ${own.amountOut} at block ${block}; the quote says ${served.amountOut}. Do not sign it.\n`
    return {
      body: { ok: true, isSame, blockNumber: block, ...amounts },
      text,
      exitCode: isSame ? exitCodes.ok : exitCodes.integrity,
    }
  },
}
