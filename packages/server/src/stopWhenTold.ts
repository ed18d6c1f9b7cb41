/** Signals that end a program. A terminal that closes sends SIGHUP. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Stops once, at the first signal. All later ones change nothing: a terminal, npm and a service manager send theirs to the
 * whole group of processes, and some of them twice, so that a second one says nothing new. What ends at once is SIGKILL.
 */
export function stopWhenTold(stop: () => void): void {
  let isTold = false
  for (const signal of signals)
    process.on(signal, () => {
      if (isTold) return
      isTold = true
      stop()
    })
}
