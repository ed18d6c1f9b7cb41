import {
  type McpServer,
  type ReadResourceResult,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { codes, isCode, type NameOn } from '@sluice/api'
import { Endpoints } from '@sluice/domain'
import { type Client, getAbi, getDeployments, getManifest } from '@sluice/sdk'
import { cacheHint } from './cache.js'
import { plainJson } from './untrusted.js'

const mimeType = 'application/json'

type Document = readonly [title: string, read: () => Promise<unknown>]

/** Registers documents that seldom change: addresses, the API, error codes and ABIs. */
export function registerResources(server: McpServer, client: Client): void {
  const documents: Readonly<Record<NameOn<'resource'>, Document>> = {
    manifest: ['Contracts, tokens and event topics of every chain', () => getManifest(client)],
    deployments: ['Every generation of the contracts, by chain', () => getDeployments(client)],
    openapi: ['The OpenAPI document of the HTTP API', () => fetchOpenapi(client)],
  }
  for (const [name, [title, read]] of Object.entries(documents))
    server.registerResource(
      name,
      `sluice://${name}`,
      { title, mimeType, cacheHint },
      async ({ href }) => contentsOf(href, await read()),
    )
  registerErrors(server)
  registerAbis(server, client)
}

function registerErrors(server: McpServer): void {
  const list = () => ({
    resources: Object.entries(codes).map(([code, { meaning }]) => ({
      uri: `sluice://errors/${code}`,
      name: code,
      description: meaning,
      mimeType,
    })),
  })
  server.registerResource(
    'errors',
    new ResourceTemplate('sluice://errors/{code}', { list }),
    { title: 'Meaning of an error code', mimeType, cacheHint },
    ({ href }, { code }) => {
      const name = String(code)
      return contentsOf(href, isCode(name) ? { code: name, ...codes[name] } : unknown(name))
    },
  )
}

function registerAbis(server: McpServer, client: Client): void {
  const list = async () => {
    const { contracts } = await getAbi(client)
    const uri = (contract: string) => `sluice://abi/${contract}`
    return {
      resources: contracts.map(({ contract }) => ({
        uri: uri(contract),
        name: `${contract} ABI`,
        mimeType,
      })),
    }
  }
  server.registerResource(
    'abi',
    new ResourceTemplate('sluice://abi/{contract}', { list }),
    { title: 'ABI of a contract', mimeType, cacheHint },
    async ({ href }, { contract }) =>
      contentsOf(href, await getAbi(client, { contract: String(contract) })),
  )
}

function unknown(code: string) {
  return { code, meaning: 'Unknown code.', known: Object.keys(codes) }
}

async function fetchOpenapi(client: Client): Promise<unknown> {
  const response = await client.fetch(client.baseUrl + Endpoints.all.getOpenapi.path)
  return await response.json()
}

function contentsOf(uri: string, body: unknown): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: JSON.stringify(plainJson(body)) }] }
}
