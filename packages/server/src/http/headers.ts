/** Headers of every response. Only `/mcp` does not allow other origins. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, retry-after, ratelimit, ratelimit-policy, allow, deprecation, etag, link',
  'x-content-type-options': 'nosniff',
  // On every response, since most of them can be compressed.
  vary: 'accept-encoding',
} as const

/** Retry time in seconds if the service is overloaded. */
export const retryAfter = { 'retry-after': '1' } as const

/**
 * Headers of responses to CORS preflight requests. Allows all request headers, since tracers and clients add their own.
 */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
} as const
