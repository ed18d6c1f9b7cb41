import { type AnswerOf, ApiError, parseSources } from '@sluice/api'
import type { Registry } from '@sluice/domain'
import type { Engine, Source } from '@sluice/engine'
import { respond } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import { refuseQuery } from './refuseQuery.js'

export type SourcesRouteOptions = {
  engine: Pick<Engine, 'sources'>
  registry: Registry.Registry
}

/** GET /api/sources: the venues of a chain. */
export function getSources({ engine, registry }: SourcesRouteOptions): Run {
  return async (c) => {
    const { chainId, name } = parseSources(registry, refuseQuery(c.req.url, ['chain']))
    const sources = await engine.sources(chainId)
    if (sources === undefined)
      throw new ApiError('rpc_unreachable', `No node of ${name} gave the venues in time.`)
    const body = { ok: true, chainId, sources: sources.map(encodeSource) } as const
    return respond(c, body satisfies AnswerOf<'getSources'>, {
      headers: { 'cache-control': 'public, max-age=60' },
    })
  }
}

function encodeSource({ pools, venue }: Source): AnswerOf<'getSources'>['sources'][number] {
  const { factory, feePips, isEnabled, kind, name, number } = venue
  const of = { venue: number, venueName: name, kind, factory }
  return { ...of, enabled: isEnabled, feePips, pools: pools ?? null }
}
