import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/** The nodes that may be asked, best first: as configured, with the demoted ones as a last resort. */
export function rankUpstreams(upstreams: readonly Upstream[], now: number): readonly Upstream[] {
  const open = upstreams.filter(
    ({ isExcluded, standing }) => !isExcluded && !Standing.isResting(standing, now),
  )
  const isDemoted = ({ standing }: Upstream) => Standing.isDemoted(standing)
  return [...open.filter((upstream) => !isDemoted(upstream)), ...open.filter(isDemoted)]
}

/** The nodes in good standing; all that may be asked, where none is. */
export function soundUpstreams(upstreams: readonly Upstream[], now: number): readonly Upstream[] {
  const ranked = rankUpstreams(upstreams, now)
  const sound = ranked.filter(({ standing }) => !Standing.isDemoted(standing))
  return sound.length > 0 ? sound : ranked
}
