import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10
const windowMs = 100

/**
 * Watches how late timers are on average, which is how long whatever is due has to wait for its turn.
 *
 * @param onWindow Told ten times a second, in milliseconds.
 * @returns What ends the watch.
 */
export function watchLoopDelay(onWindow: (lateMs: number) => void): () => void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let dueAt = performance.now() + windowMs
  const timer = setInterval(() => {
    const at = performance.now()
    // A window in which nothing had its turn has no samples.
    const mean = histogram.count > 0 ? histogram.mean / 1e6 - resolutionMs : 0
    onWindow(Math.max(0, mean, at - dueAt))
    histogram.reset()
    dueAt = at + windowMs
  }, windowMs).unref()
  return () => {
    clearInterval(timer)
    histogram.disable()
  }
}
