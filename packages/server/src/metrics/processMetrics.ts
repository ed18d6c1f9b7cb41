import { readdirSync } from 'node:fs'
import type { Families } from './families.js'

/** Metrics of the process, with the names that all Prometheus client libraries use. */
export function createProcessMetrics({ counter, gauge }: Families) {
  const cpu = counter('process_cpu_seconds_total', 'Processor time of the process.')
  const memory = gauge('process_resident_memory_bytes', 'Memory of the process.')
  const heap = gauge('nodejs_heap_size_used_bytes', 'Used heap.')
  const files = gauge('process_open_fds', 'Open files and sockets.')
  const started = gauge('process_start_time_seconds', 'Start of the process, in unix time.')
  const lag = gauge('nodejs_eventloop_lag_seconds', 'Mean event loop delay in the last 100 ms.')
  started.set(Math.round(Date.now() / 1_000 - process.uptime()))
  let told = 0
  return {
    noteLate: (lateMs: number) => lag.set(lateMs / 1_000),
    look() {
      const { system, user } = process.cpuUsage()
      const used = (user + system) / 1e6
      cpu.inc(used - told)
      told = used
      const { heapUsed, rss } = process.memoryUsage()
      memory.set(rss)
      heap.set(heapUsed)
      const count = countFiles()
      if (count !== undefined) files.set(count)
    },
  }
}

/** `undefined` if the system does not provide it. */
function countFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
