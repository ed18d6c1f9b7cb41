/** How many blocks a node is asked for at once: less if it refuses, then more again. Kept from round to round. */
export type Window = {
  readonly span: () => number
  /** @returns Whether it could be made smaller. */
  readonly shrink: () => boolean
  readonly grow: () => void
}

const firstSpan = 2_000
const maxSpan = 100_000
/** Ranges read in a row before the window grows, so that a node that refused is not refused by again at once. */
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
