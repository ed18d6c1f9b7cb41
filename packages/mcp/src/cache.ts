/** What changes only with a release of the service: everyone may keep it for an hour. */
export const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const
