import type { AnswerOf } from '@sluice/api'
import type { Engine } from '@sluice/engine'
import { respond } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'

export type HealthRouteOptions = {
  engine: Engine
  now: () => number
  /** URLs of nodes that may be published. */
  publicRpcUrls: ReadonlyMap<number, readonly string[]>
}

export const service = 'sluice'
export const version = '1.0.0'

/** GET /api/health. Reads memory only, so it may be polled freely. */
export function getHealth({ engine, now, publicRpcUrls }: HealthRouteOptions): Run {
  return (c) => {
    const chains = engine.health().map(({ head, headAgeMs, poolsIndexed, problem, ...chain }) => {
      const rpc = publicRpcUrls.get(chain.chainId)?.[0]
      return {
        ...chain,
        ...(head !== undefined && { head: Number(head) }),
        ...(headAgeMs !== undefined && { headAgeMs }),
        ...(poolsIndexed !== undefined && { poolsIndexed }),
        ...(problem !== undefined && { problem }),
        ...(rpc !== undefined && { rpc }),
      }
    })
    const body = { ok: true, service, version, now: now(), chains } satisfies AnswerOf<'getHealth'>
    return respond(c, body, { headers: { 'cache-control': 'no-store' } })
  }
}
