import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Whether the process is behind with its work. */
export type LoopDelay = { readonly isLate: () => boolean; readonly stop: () => void }

const windowMs = 1_000

/**
 * Watches how late timers are: what is late in two windows in a row is too much work, and not one long pause.
 *
 * @param maxMs Most that the 99th percentile may be.
 */
export function watchLoopDelay(maxMs: number): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: 20 })
  let lateWindows = 0
  histogram.enable()
  const timer = setInterval(() => {
    lateWindows = histogram.percentile(99) / 1e6 > maxMs ? lateWindows + 1 : 0
    histogram.reset()
  }, windowMs).unref()
  return {
    isLate: () => lateWindows >= 2,
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
