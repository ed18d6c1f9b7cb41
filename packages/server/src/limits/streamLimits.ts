/** Bounds of GET /api/quote/stream. */
export type StreamLimits = {
  /** Streams at a time. */
  readonly maxStreams: number
  /** Longest life of one. */
  readonly maxMs: number
  readonly maxEvents: number
}

export const streamLimits: StreamLimits = { maxStreams: 200, maxMs: 300_000, maxEvents: 500 }
