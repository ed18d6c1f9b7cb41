/** On every answer, whatever wrote it; only `/mcp` is not for pages of other origins. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, retry-after, ratelimit, ratelimit-policy, allow, deprecation, etag, link',
  'x-content-type-options': 'nosniff',
  // Of everything, since most of it can be compressed.
  vary: 'accept-encoding',
} as const

/** Seconds after which asking again makes sense, if too much is under way. */
export const retryAfter = { 'retry-after': '1' } as const

/** Answers to a browser's question whether it may ask. Any header may come along: tracers and clients add their own. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
} as const
