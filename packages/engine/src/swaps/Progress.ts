import type { Followed } from '../logs/followLogs.js'

/** Progress of a chain's swap index. */
export type SwapProgress = {
  readonly chainId: number
  readonly block: number
  readonly head: number
  /** Progress from the first block to the latest, from 0 to 1. */
  readonly part: number
}

/** Tracks the progress of one chain and reports it. */
export type Progress = {
  readonly latest: () => SwapProgress | undefined
  readonly forget: () => void
  /** Records what was reached. */
  readonly note: (firstBlock: number, followed: Followed) => void
  /** The same for each step of a round. Reports long rounds every few seconds, and their end. */
  readonly round: (firstBlock: number) => (followed: Followed) => void
}

const tellEveryMs = 5_000

export function createProgress(options: {
  chainId: number
  /** Unix milliseconds. */
  now: () => number
  tell: (progress: SwapProgress) => void
}): Progress {
  const { chainId, now, tell } = options
  let latest: SwapProgress | undefined

  function note(firstBlock: number, { cursor, head }: Followed): void {
    if (cursor === undefined) return
    const last = Math.max(head.number, cursor.number)
    const part = (cursor.number - firstBlock + 1) / (last - firstBlock + 1)
    latest = { chainId, block: cursor.number, head: last, part }
  }

  return {
    latest: () => latest,
    forget() {
      latest = undefined
    },
    note,
    round(firstBlock) {
      let toldAt = now()
      let isLong = false
      return (followed) => {
        note(firstBlock, followed)
        const isDue = now() - toldAt >= tellEveryMs
        if (latest === undefined || !(isDue || (isLong && latest.part === 1))) return
        toldAt = now()
        isLong = true
        tell(latest)
      }
    },
  }
}
