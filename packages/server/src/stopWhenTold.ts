/** Signals that end a program. A closing terminal sends SIGHUP. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Stops at the first signal and ignores later ones: terminals, npm and service managers signal the whole process group,
 * some of them twice. Use SIGKILL to end at once.
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
