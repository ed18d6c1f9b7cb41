/** Writes a log line. `leftOut` is the number of equal lines omitted since the last one. */
export type ThrottledWrite = (more: { leftOut?: number }) => void

/**
 * Throttles log lines by cause: the first is written at once, then at most one every ten seconds, with the number of
 * omitted ones.
 */
export type LogThrottle = {
  readonly write: (cause: string, write: ThrottledWrite) => void
  /** Writes the pending lines. */
  readonly stop: () => void
}

type Cause = { leftOut: number; last: ThrottledWrite; timer: NodeJS.Timeout }

const windowMs = 10_000
/** Maximum number of causes; further ones share one entry. */
const maxCauses = 200
const anyOther = 'other'

export function createLogThrottle(): LogThrottle {
  const causes = new Map<string, Cause>()
  const close = (name: string, cause: Cause) => {
    if (cause.leftOut === 0) return void causes.delete(name)
    cause.last({ leftOut: cause.leftOut })
    cause.leftOut = 0
    cause.timer = setTimeout(close, windowMs, name, cause).unref()
  }
  return {
    write(given, write) {
      const name = causes.has(given) || causes.size < maxCauses ? given : anyOther
      const known = causes.get(name)
      if (known !== undefined) {
        known.leftOut++
        known.last = write
        return
      }
      write({})
      const cause: Cause = { leftOut: 0, last: write, timer: undefined as never }
      cause.timer = setTimeout(close, windowMs, name, cause).unref()
      causes.set(name, cause)
    },
    stop() {
      for (const { last, leftOut, timer } of causes.values()) {
        clearTimeout(timer)
        if (leftOut > 0) last({ leftOut })
      }
      causes.clear()
    },
  }
}
