import { deploymentsParameters } from '@sluice/api'
import { type DeploymentsResponse, getDeployments } from '@sluice/sdk'
import type { Command } from '../command.js'
import { flagsFor } from '../flags.js'
import { table, withProgress } from '../output.js'

export const deployments: Command = {
  summary: 'List the contracts of each generation and chain',
  flags: flagsFor(deploymentsParameters),
  examples: ['sluice deployments', 'sluice deployments --chain base --json'],
  async run(values, { client, io }) {
    const text = (name: string) => (values[name] === undefined ? undefined : String(values[name]))
    const filters = { chain: text('chain'), version: text('version') }
    const body = await withProgress(io, 'Asking', () => getDeployments(client, filters))
    return { body, text: deploymentsTable(body) }
  },
}

function deploymentsTable({ versions }: DeploymentsResponse): string {
  const rows = versions.flatMap(({ chains, status, version }) =>
    Object.entries(chains).flatMap(([chainId, contracts]) =>
      Object.entries(contracts).map(([name, address]) => [
        version,
        status,
        chainId,
        name,
        String(address),
      ]),
    ),
  )
  return `${table([['VERSION', 'STATUS', 'CHAIN', 'CONTRACT', 'ADDRESS'], ...rows])}\n`
}
