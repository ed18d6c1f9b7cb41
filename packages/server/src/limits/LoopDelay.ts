import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10
const windowMs = 100

/**
 * Measures the mean event loop delay: how long due work waits for its turn.
 *
 * @param onWindow Called ten times a second with the delay in milliseconds.
 * @returns A function that stops the measurement.
 */
export function watchLoopDelay(onWindow: (lateMs: number) => void): () => void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let dueAt = performance.now() + windowMs
  const timer = setInterval(() => {
    const at = performance.now()
    // A window in which the loop was blocked throughout has no samples.
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
