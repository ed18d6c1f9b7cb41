/** Writes a line, with how often the same was left out since the last one. */
export type ThrottledWrite = (more: { leftOut?: number }) => void

/** Lets a line through by its cause: at once, and then one in ten seconds that tells how many were left out. */
export type LogThrottle = {
  readonly write: (cause: string, write: ThrottledWrite) => void
  /** Writes what is still to be told. */
  readonly stop: () => void
}

type Cause = { leftOut: number; last: ThrottledWrite; timer: NodeJS.Timeout }

const windowMs = 10_000
/** Causes are few; if something makes them up, the others share one. */
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
