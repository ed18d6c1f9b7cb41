/** Number of blocks in one log request. Shrinks if the node refuses and grows again afterwards. Kept between rounds. */
export type Window = {
  readonly span: () => number
  /** @returns False if it was already one block. */
  readonly shrink: () => boolean
  readonly grow: () => void
}

const firstSpan = 2_000
const maxSpan = 100_000
/** Successful reads before the window grows, so that a refusing node is not asked for more at once. */
const calmReads = 2

export function createWindow(): Window {
  let span = firstSpan
  let reads = 0
  return {
    span: () => span,
    shrink() {
      reads = 0
      if (span === 1) return false
      span = Math.floor(span / 2)
      return true
    },
    grow() {
      reads++
      if (reads >= calmReads) span = Math.min(maxSpan, span * 2)
    },
  }
}
