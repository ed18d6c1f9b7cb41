import { statsResponse } from '@sluice/api'
import { type Client, getStats } from '@sluice/sdk'
import { z } from 'zod'
import { defineTool } from '../defineTool.js'

export const getStatsTool = (client: Client) =>
  defineTool({
    title: 'Usage statistics',
    description:
      'Returns fills and unique traders of every chain, counted from Swap events, with the log filter and block ' +
      'range that reproduce them. A chain with `ok: false` could not be read: its nulls mean unknown, not zero, and the ' +
      'totals leave it out.',
    input: z.strictObject({}),
    output: statsResponse,
    isOpenWorld: true,
    run: (_, signal) => getStats(client, { signal }),
  })
