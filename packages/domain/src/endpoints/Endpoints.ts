/** HTTP method and path of an operation. */
export type Endpoint = { readonly method: 'GET' | 'POST'; readonly path: string }

/**
 * Every operation of the service by its id, in the order of the documentation. Paths are written only here: the service,
 * its documents and the SDK read them from this list.
 */
export const all = {
  getQuote: { method: 'GET', path: '/api/quote' },
  getQuoteStream: { method: 'GET', path: '/api/quote/stream' },
  getRoutePicture: { method: 'GET', path: '/api/quote/route.svg' },
  postQuoteBatch: { method: 'POST', path: '/api/quote/batch' },
  getPrepare: { method: 'GET', path: '/api/quote/prepare' },
  postPrepare: { method: 'POST', path: '/api/quote/prepare' },
  postSigned: { method: 'POST', path: '/api/quote/signed' },
  postDecode: { method: 'POST', path: '/api/quote/decode' },
  getDeployments: { method: 'GET', path: '/api/deployments' },
  getAbi: { method: 'GET', path: '/api/abi' },
  getSources: { method: 'GET', path: '/api/sources' },
  getTokens: { method: 'GET', path: '/api/tokens' },
  getPrice: { method: 'GET', path: '/api/price' },
  getManifest: { method: 'GET', path: '/api/manifest' },
  getDiscovery: { method: 'GET', path: '/api' },
  getHealth: { method: 'GET', path: '/api/health' },
  getStats: { method: 'GET', path: '/api/stats' },
  getBadge: { method: 'GET', path: '/api/badge' },
  getSolvency: { method: 'GET', path: '/api/solvency' },
  getSolvencyPage: { method: 'GET', path: '/solvency' },
  getXray: { method: 'GET', path: '/api/xray' },
  postMcp: { method: 'POST', path: '/mcp' },
  getOpenapi: { method: 'GET', path: '/api/openapi.json' },
  getLlms: { method: 'GET', path: '/llms.txt' },
} as const satisfies Record<string, Endpoint>

/** Id of an operation: `operationId` in OpenAPI. */
export type Id = keyof typeof all
