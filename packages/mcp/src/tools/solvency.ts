import { solvencyResponse } from '@sluice/api'
import { type Client, getSolvency } from '@sluice/sdk'
import { z } from 'zod'
import { defineTool } from '../defineTool.js'

export const getSolvencyTool = (client: Client) =>
  defineTool({
    title: 'Check solvency',
    description:
      'Compares what the Staking contract holds with what it owes, on every chain, each at one block, with the ' +
      "call that repeats the reading on the user's own node. Status `unknown` means that the chain could not be " +
      'read and says nothing either way; never report it as solvent or insolvent.',
    input: z.strictObject({}),
    output: solvencyResponse,
    isOpenWorld: true,
    run: (_, signal) => getSolvency(client, { signal }),
  })
