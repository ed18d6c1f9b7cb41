/** Limits of GET /api/quote/stream. */
export type StreamLimits = {
  /** Maximum number of concurrent streams, in all and per address. */
  readonly maxStreams: number
  readonly maxPerAddress: number
  /** Maximum lifetime of a stream in milliseconds. */
  readonly maxMs: number
  readonly maxEvents: number
}

export const streamLimits: StreamLimits = {
  maxStreams: 200,
  maxPerAddress: 32,
  maxMs: 300_000,
  maxEvents: 500,
}

/** Counts open streams. */
export type Streams = {
  /**
   * Counts a new stream.
   *
   * @returns A function that removes the stream; or the limit that refuses it.
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
