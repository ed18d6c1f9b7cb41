type Late = typeof import('../late.js')

let loading: Promise<Late> | undefined
let loaded: Late | undefined
let tell = () => {}

/** The part of the page that nobody needs before they touch it; a failed load is tried again. */
export function loadLate(): Promise<Late> {
  loading ??= import('../late.js').then(
    (late) => {
      loaded = late
      tell()
      return late
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** The same if it is there; else has it loaded. */
export function lateNow(): Late | undefined {
  if (loaded === undefined) loadLate().catch(() => setTimeout(tell, 2_000))
  return loaded
}

/** Loads it at the first touch, before it is needed. */
export function loadAtFirstTouch(onLoaded: () => void): void {
  tell = onLoaded
  const load = () => {
    loadLate().catch(() => {})
  }
  for (const type of ['pointerover', 'keydown', 'touchstart', 'focusin'])
    addEventListener(type, load, { once: true, passive: true })
}
