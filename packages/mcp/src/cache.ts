/** Cache hint for content that changes only with a release: public, for an hour. */
export const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const
