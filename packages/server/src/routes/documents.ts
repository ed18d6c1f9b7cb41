import {
  createOpenapi,
  encodeAbi,
  encodeDeployments,
  encodeDiscovery,
  encodeManifest,
  examples,
  type Site,
} from '@sluice/api'
import { type Deployments, Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import type { Run } from '../middleware/Layer.js'
import { llms, llmsFull, sdkGuide } from '../pages/llms.js'
import { apiCatalog, securityTxt } from '../pages/wellKnown.js'
import { refuseQuery } from './refuseQuery.js'

export type DocumentRouteOptions = {
  deployments: Deployments.Deployments
  registry: Registry.Registry
  engine: Pick<Engine, 'health'>
  /** Available once the service listens. */
  site: () => Site
  /** If false, the service asks no node for quotes and returns prepared calls instead. */
  isRelay: boolean
  /** When the deployments were written, in unix milliseconds. */
  updatedAt: number
  now: () => number
}

const text = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'

/** Handlers of operations that return documents which rarely change. They ask no node. */
export function documentRuns(options: DocumentRouteOptions) {
  const { isRelay, site } = options
  return {
    getDiscovery: plain(() => {
      const { chains } = manifestOf(options)
      return documentOf(encodeDiscovery({ chains, site: site(), isRelay }))
    }),
    getManifest: plain(() => documentOf(manifestOf(options))),
    getDeployments: getDeployments(options),
    getAbi,
    getOpenapi: plain(once(() => documentOf(createOpenapi({ url: site().url, examples })))),
    getLlms: lenient(once(() => documentOf(llms(site()), text))),
  }
}

/** Handlers of guides and well-known documents that are not operations, by path. */
export function documentRoutes({ now, site }: DocumentRouteOptions): Record<string, Run> {
  return {
    '/llms-full.txt': lenient(once(() => documentOf(llmsFull(site()), text))),
    '/sdk.md': lenient(once(() => documentOf(sdkGuide(), markdown))),
    '/.well-known/api-catalog': lenient(
      once(() => documentOf(apiCatalog(site()), 'application/linkset+json')),
    ),
    '/.well-known/security.txt': lenient(() => documentOf(securityTxt(site(), now()), text)),
  }
}

/** Handler of a document for readers. Links to it may have parameters of others, which mean nothing here. */
function lenient(make: () => Document): Run {
  return (c) => respondDocument(c, make())
}

/** Handler of a document of the API, which has no parameters. */
function plain(make: () => Document): Run {
  return (c) => {
    refuseQuery(c.req.url)
    return respondDocument(c, make())
  }
}

function once(make: () => Document): () => Document {
  let made: Document | undefined
  return () => {
    made ??= make()
    return made
  }
}

function manifestOf({ deployments, engine, site }: DocumentRouteOptions) {
  const flags = new Map(engine.health().map((chain) => [chain.chainId, chain]))
  return encodeManifest(deployments, { flags, site: site() })
}

function getDeployments(options: DocumentRouteOptions): Run {
  const { deployments, registry, updatedAt } = options
  return (c) => {
    const query = refuseQuery(c.req.url, ['chain', 'version'])
    const filters = {
      chain: query.get('chain') ?? undefined,
      version: query.get('version') ?? undefined,
    }
    const preferred = Registry.defaultVersion
    const shared = { active: registry, updatedAt, preferred }
    return respondDocument(c, documentOf(encodeDeployments(deployments, { ...shared, filters })))
  }
}

/** GET /api/abi. The ABI of a given contract and version never changes. */
const getAbi: Run = (c) => {
  const query = refuseQuery(c.req.url, ['contract', 'version'])
  const contract = query.get('contract') ?? undefined
  const version = query.get('version') ?? undefined
  const isImmutable = contract !== undefined && version !== undefined
  return respondDocument(c, documentOf(encodeAbi({ contract, version })), { isImmutable })
}
