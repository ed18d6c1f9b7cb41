/** A part of the page that comes in a file of its own, when it is needed. */
export type Part<contents> = {
  /** Loads it; after a failure the next call tries again. */
  readonly load: () => Promise<contents>
  /** Its contents if it is there; else has it loaded and drawn. */
  readonly now: () => contents | undefined
}

const retryMs = 2_000
let draw = () => {}

/** Names what draws the page again once a part has come. */
export function drawWith(redraw: () => void): void {
  draw = redraw
}

/** A part by what imports it. */
export function partOf<contents>(fetchPart: () => Promise<contents>): Part<contents> {
  let loading: Promise<contents> | undefined
  let loaded: contents | undefined
  const load = () => {
    loading ??= fetchPart().then(
      (contents) => {
        loaded = contents
        draw()
        return contents
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  return {
    load,
    now() {
      if (loaded === undefined) load().catch(() => setTimeout(draw, retryMs))
      return loaded
    },
  }
}
