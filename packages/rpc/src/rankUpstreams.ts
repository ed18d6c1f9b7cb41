import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/**
 * The nodes that may be asked, best first: as configured, with the demoted ones as a last resort.
 *
 * @param slow Labels of nodes that come after the others in good standing.
 */
export function rankUpstreams(
  upstreams: readonly Upstream[],
  now: number,
  slow?: ReadonlySet<string>,
): readonly Upstream[] {
  const open = upstreams.filter(
    ({ isExcluded, standing }) => !isExcluded && !Standing.isResting(standing, now),
  )
  const isDemoted = ({ standing }: Upstream) => Standing.isDemoted(standing)
  const isSlow = ({ label }: Upstream) => slow?.has(label) === true
  const sound = open.filter((upstream) => !isDemoted(upstream))
  return [
    ...sound.filter((upstream) => !isSlow(upstream)),
    ...sound.filter(isSlow),
    ...open.filter(isDemoted),
  ]
}

/** The nodes in good standing; if there is none, all that may be asked. */
export function soundUpstreams(upstreams: readonly Upstream[], now: number): readonly Upstream[] {
  const ranked = rankUpstreams(upstreams, now)
  const sound = ranked.filter(({ standing }) => !Standing.isDemoted(standing))
  return sound.length > 0 ? sound : ranked
}
