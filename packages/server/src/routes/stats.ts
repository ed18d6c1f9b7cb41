import { encodeStats } from '@sluice/api'
import type { Engine } from '@sluice/engine'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import type { Run } from '../middleware/Layer.js'
import { refuseQuery } from './refuseQuery.js'

export type StatsRouteOptions = {
  engine: Pick<Engine, 'stats'>
  now: () => number
  /** How long figures are cached, in milliseconds. */
  statsCacheMs: number
}

/** How long incomplete figures are cached, in milliseconds. */
const incompleteMs = 5_000
/** Faults that last until the configuration changes. */
const lasting: readonly (string | undefined)[] = [undefined, 'not_deployed', 'no_node', 'index_off']

type Counted = { readonly document: Document; readonly until: number }

/** GET /api/stats: counted from the index, and cached for all callers. Asks no node. */
export function getStats({ engine, now, statsCacheMs }: StatsRouteOptions): Run {
  let counted: Counted | undefined
  let counting: Promise<Counted> | undefined

  async function count(): Promise<Counted> {
    const stats = await engine.stats()
    const body = encodeStats(stats)
    const isComplete = !stats.isLast && body.chains.every(({ code }) => lasting.includes(code))
    const forMs = isComplete ? statsCacheMs : Math.min(statsCacheMs, incompleteMs)
    counted = { document: documentOf(body), until: now() + forMs }
    return counted
  }

  return async (c) => {
    refuseQuery(c.req.url)
    if (counted === undefined || now() >= counted.until)
      counting ??= count().finally(() => {
        counting = undefined
      })
    const { document, until } = (await counting) ?? counted!
    // Caches may keep the response for the rest of its time here, so that nobody gets it much later.
    const left = Math.max(1, Math.floor((until - now()) / 1_000))
    const cacheControl = `public, max-age=${Math.min(left, 60)}, s-maxage=${left}, stale-while-revalidate=600, stale-if-error=3600`
    return respondDocument(c, document, { cacheControl })
  }
}
