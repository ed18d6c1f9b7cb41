/**
 * Measures how long this process was blocked because the machine did other work. Nodes and engine share the process, so
 * no node could respond in that time.
 */
export type Pulse = {
  /** Milliseconds since `since` (monotonic milliseconds) in which the process was ready to run and did not. */
  readonly starvedMs: (since: number) => number
  readonly stop: () => void
}

const beatMs = 10
const keptMs = 20_000

export function startPulse(): Pulse {
  const stops: { readonly endedAt: number; readonly ms: number }[] = []
  let last = { at: performance.now(), cpuMs: cpuMs() }
  const beat = () => {
    const now = { at: performance.now(), cpuMs: cpuMs() }
    // The delay without the CPU time of this process: its own slowness does not count.
    const ms = now.at - last.at - beatMs - (now.cpuMs - last.cpuMs)
    last = now
    if (ms > beatMs) stops.push({ endedAt: now.at, ms })
    while (stops.length > 0 && stops[0]!.endedAt < now.at - keptMs) stops.shift()
  }
  const timer = setInterval(beat, beatMs)
  return {
    starvedMs: (since) =>
      stops.reduce((sum, { endedAt, ms }) => (endedAt >= since ? sum + ms : sum), 0),
    stop: () => clearInterval(timer),
  }
}

function cpuMs(): number {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}
