/** Bounds of GET /api/quote/stream. */
export type StreamLimits = {
  /** Streams at a time, and of one address. */
  readonly maxStreams: number
  readonly maxPerAddress: number
  /** Longest life of one. */
  readonly maxMs: number
  readonly maxEvents: number
}

export const streamLimits: StreamLimits = {
  maxStreams: 200,
  maxPerAddress: 32,
  maxMs: 300_000,
  maxEvents: 500,
}

/** The streams that are open. */
export type Streams = {
  /**
   * Counts one more.
   *
   * @returns What takes it away again; or which limit keeps it out.
   */
  readonly open: (caller: string) => (() => void) | 'full' | 'full_for_address'
  readonly count: () => number
}

export function createStreams({
  maxPerAddress,
  maxStreams,
}: Pick<StreamLimits, 'maxPerAddress' | 'maxStreams'>): Streams {
  const byCaller = new Map<string, number>()
  let all = 0
  const add = (caller: string, change: 1 | -1) => {
    const count = (byCaller.get(caller) ?? 0) + change
    if (count === 0) byCaller.delete(caller)
    else byCaller.set(caller, count)
    all += change
  }
  return {
    open(caller) {
      if ((byCaller.get(caller) ?? 0) >= maxPerAddress) return 'full_for_address'
      if (all >= maxStreams) return 'full'
      add(caller, 1)
      return () => add(caller, -1)
    },
    count: () => all,
  }
}
