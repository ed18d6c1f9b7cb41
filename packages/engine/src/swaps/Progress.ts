import type { Followed } from '../logs/followLogs.js'

/** How far the swap index of a chain is. */
export type SwapProgress = {
  readonly chainId: number
  readonly block: number
  readonly head: number
  /** Of the way from the first block to the latest, from 0 to 1. */
  readonly part: number
}

/** How far a chain is, and who is told of it. */
export type Progress = {
  readonly latest: () => SwapProgress | undefined
  readonly forget: () => void
  /** Takes note of what was reached, if the index begins with that block. */
  readonly note: (firstBlock: number, followed: Followed) => void
  /** The same for the steps of one round; tells of a long one now and then, and of its end. */
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
