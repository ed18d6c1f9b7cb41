import { statsResponse } from '@sluice/api'
import { type Client, getStats } from '@sluice/sdk'
import { z } from 'zod'
import { defineTool } from '../defineTool.js'

export const getStatsTool = (client: Client) =>
  defineTool({
    name: 'get_stats',
    title: 'How much the protocol is used',
    description:
      'Fills and unique traders of every chain, counted from the Swap events on chain, each with the log filter and block ' +
      'range that reproduce it. A chain with ok false could not be read: its nulls mean unknown, never zero, and the ' +
      'totals leave it out.',
    input: z.strictObject({}),
    output: statsResponse,
    isOpenWorld: true,
    run: (_, signal) => getStats(client, { signal }),
  })
