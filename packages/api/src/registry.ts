import { z } from 'zod'
import { address, hex, integer } from './fields.js'

const versionText = z.string().max(16, 'must be a version, for example 1.0.0')

/** Query of GET /api/deployments. */
export const deploymentsParameters = z.object({
  chain: z.string().optional().describe('Chain id or name. Default: all chains.'),
  version: versionText
    .optional()
    .describe('Generation, for example 1.0.0 or 1. Default: all generations.'),
})

/** Query of GET /api/abi. */
export const abiParameters = z.object({
  contract: z
    .string()
    .optional()
    .describe('Name of a contract, for example `quoter`. Default: the list of all ABIs.'),
  version: versionText.optional().describe('Generation. Default: the first that has the contract.'),
})

const contracts = z.object({
  core: address,
  hub: address,
  solver: address,
  router: address,
  quoter: address,
  staking: address,
  finder: address.optional().describe('Additive.'),
  optimizer: address.optional().describe('Additive.'),
  pricer: address.optional().describe('Additive.'),
  sampler: address.optional().describe('Additive.'),
})

/** Schema of the response of GET /api/deployments. */
export const deploymentsResponse = z.object({
  ok: z.literal(true),
  schema: z.literal(1),
  updatedAt: integer.describe('Time at which the registry was written, in unix milliseconds.'),
  versions: z.array(
    z.object({
      version: z.string(),
      status: z.enum(['active', 'available']).describe('`active`: the default of quotes.'),
      source: z.string().describe('Folder of the contract sources in the repository.'),
      chains: z.record(z.string(), contracts).describe('By chain id.'),
    }),
  ),
  active: z
    .record(z.string(), z.object({ version: z.string(), contracts }))
    .describe('By chain id: the generation and contracts of quotes without `version`.'),
})

/** Schema of a contract's ABI. */
export const abiResponse = z.object({
  ok: z.literal(true),
  contract: z.string(),
  version: z.string(),
  abi: z.array(z.looseObject({ type: z.string() })),
})

/** Schema of the list of ABIs. */
export const abiListResponse = z.object({
  ok: z.literal(true),
  contracts: z.array(
    z.object({ contract: z.string(), versions: z.array(z.string()), path: z.string() }),
  ),
})

const hints = z.object({
  sdk: z.string(),
  mcp: z.string(),
  prepare: z.string(),
  decode: z.string(),
  deployments: z.string(),
})

/** Schema of the response of GET /api/manifest. */
export const manifestResponse = z.object({
  ok: z.literal(true),
  name: z.string(),
  version: z.string(),
  url: z.string(),
  docs: z.string(),
  deployments: z.string().describe('URL of GET /api/deployments.'),
  prepare: z.string(),
  decode: z.string(),
  integrate: hints,
  token: z.object({
    symbol: z.string(),
    chain: z.string(),
    address,
    explorer: z.string(),
    totalSupply: z.string().describe('Whole tokens, with thousands separators.'),
  }),
  feeBps: integer,
  chains: z.array(
    z.object({
      chainId: integer,
      name: z.string(),
      live: z.boolean().describe('Whether the registry has a Router and a Quoter on the chain.'),
      probed: z
        .boolean()
        .describe('Whether a node has shown their code since the service started.'),
      protocolVersion: z.string(),
      explorer: z.string(),
      contracts,
      weth: address,
      usdc: address,
      slu: address.optional(),
    }),
  ),
  events: z.record(
    z.string(),
    z.object({
      signature: z.string(),
      topic0: hex,
      versions: z.string().optional(),
      declaration: z.string().optional().describe('Additive. With parameter names and `indexed`.'),
    }),
  ),
  contact: z.string(),
})

/** Schema of the response of GET /api. */
export const discoveryResponse = z.object({
  ok: z.literal(true),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  endpoints: z.record(
    z.string(),
    z.object({
      method: z.string(),
      path: z.string(),
      example: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
  chains: z
    .array(
      z.object({
        chainId: integer,
        name: z.string(),
        live: z.boolean().describe('Whether the registry has a Router and a Quoter on the chain.'),
      }),
    )
    .optional()
    .describe('Additive. Every chain of the manifest.'),
  docs: z.string(),
  sdk: z.string().describe('URL of the guide to the TypeScript client.'),
  mcp: z.string().describe('URL of the MCP endpoint.'),
  integrate: hints,
  contact: z.string(),
})

export type DeploymentsResponse = z.infer<typeof deploymentsResponse>
export type AbiResponse = z.infer<typeof abiResponse>
export type AbiListResponse = z.infer<typeof abiListResponse>
export type ManifestResponse = z.infer<typeof manifestResponse>
export type DiscoveryResponse = z.infer<typeof discoveryResponse>
