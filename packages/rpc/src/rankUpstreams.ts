import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/**
 * Sorts the nodes that may be asked, best first: in the configured order, with demoted nodes at the end.
 *
 * @param slow Labels of nodes to put after the others that are not demoted.
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

/** Nodes that are not demoted; all nodes that may be asked if every one is demoted. */
export function soundUpstreams(upstreams: readonly Upstream[], now: number): readonly Upstream[] {
  const ranked = rankUpstreams(upstreams, now)
  const sound = ranked.filter(({ standing }) => !Standing.isDemoted(standing))
  return sound.length > 0 ? sound : ranked
}
