import { ApiError, parseSigned, type SignedResponse } from '@sluice/api'
import { Addresses, Permits, type Plan, Registry, SignedSwap, SwapWay } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import { refuseQuery } from './refuseQuery.js'

export type SignedRouteOptions = {
  registry: Registry.Registry
  /** Unix milliseconds. */
  now: () => number
}

type Given = ReturnType<typeof parseSigned>['quote']

/** POST /api/quote/signed. Asks no node. */
export function postSigned({ now, registry }: SignedRouteOptions): Run {
  return async (c) => {
    refuseQuery(c.req.url)
    const { quote, signature } = parseSigned(await readJsonBody(c.req.raw))
    const { chainId, permit: given } = quote
    const router = routerOf(registry, chainId)
    if (BigInt(given.deadline) * 1_000n < BigInt(Math.floor(now())))
      throw wrong('permit.deadline', 'has passed; request a new quote')
    const route = routeOf(quote)
    const permit = permitOf(quote, { chainId, route, router })
    const body: SignedResponse = {
      ok: true,
      chainId,
      owner: permit.owner,
      tx: {
        to: router,
        data: await complete(route, permit, signature.toLowerCase() as Hex),
        value: '0',
        gas: given.gas,
      },
    }
    return respond(c, body, { headers: { 'cache-control': 'no-store' } })
  }
}

async function complete(route: Plan.Route, permit: Permits.Permit, signature: Hex): Promise<Hex> {
  try {
    return await SignedSwap.complete(route, permit, signature)
  } catch (error) {
    if (error instanceof SignedSwap.BadSignatureError)
      throw new ApiError('bad_request', error.message, {
        details: [{ field: 'signature', code: 'bad_request', reason: 'does not pay for the swap' }],
      })
    throw error
  }
}

/** Returns the Router that accepts signatures. */
function routerOf(registry: Registry.Registry, chainId: number): Address {
  const served = registry.get(chainId)
  const chains = served
    ? Registry.versionsOf(served).map((version) => Registry.inVersion(served, version)!)
    : []
  const router = chains.find(SwapWay.takesMore)?.contracts.router
  if (router === undefined || Addresses.equal(router, Addresses.zero))
    throw new ApiError(
      'bad_chain',
      '`quote.chainId` must be a chain with a Router that accepts signatures.',
    )
  return router
}

/** @throws ApiError if a number exceeds its type. */
function routeOf({ route }: Given): Plan.Route {
  const word = (text: string, name: string) => {
    const value = BigInt(text)
    if (value >= 1n << 256n) throw wrong(`route.${name}`, 'exceeds 256 bits')
    return value
  }
  return {
    tokenIn: route.tokenIn as Address,
    tokenOut: route.tokenOut as Address,
    amountIn: word(route.amountIn, 'amountIn'),
    grossOut: word(route.grossOut, 'grossOut'),
    impactBps: BigInt(route.impactBps),
    legs: route.legs.map((leg, index) => {
      if (leg.venue > 0xffff) throw wrong(`route.legs.${index}.venue`, 'exceeds 16 bits')
      return {
        venue: leg.venue,
        pool: leg.pool as Address,
        tokenIn: leg.tokenIn as Address,
        tokenOut: leg.tokenOut as Address,
        key: word(leg.key, `legs.${index}.key`),
        share: word(leg.share, `legs.${index}.share`),
      }
    }),
  }
}

/** Rebuilds the permit from its terms. Only the domain of the token is taken from the caller's typed data. */
function permitOf(
  { permit: given }: Given,
  swap: { chainId: number; route: Plan.Route; router: Address },
): Permits.Permit {
  const word = (name: 'nonce' | 'minOut' | 'deadline') => {
    const value = BigInt(given[name])
    if (value >= 1n << 256n) throw wrong(`permit.${name}`, 'exceeds 256 bits')
    return value
  }
  const recipient = given.recipient as Address
  const terms = {
    minOut: word('minOut'),
    recipient,
    deadline: word('deadline'),
    ...integratorFeeOf(given),
  }
  const parameters = { ...swap, owner: given.owner as Address, terms }
  if (given.kind === 'permit2')
    return { ...Permits.ofPermit2(parameters), ownerHasCode: given.ownerHasCode }
  const { name, version } = given.typedData.domain
  return Permits.ofToken({ ...parameters, nonce: word('nonce'), domain: { name, version } })
}

function integratorFeeOf({ integrator, integratorFeeBps: bps }: Given['permit']) {
  if (integrator === undefined && bps === undefined) return undefined
  if (integrator === undefined || bps === undefined)
    throw wrong('permit.integrator', 'and `integratorFeeBps` go together')
  return { integratorFee: { integrator: integrator as Address, bps } }
}

function wrong(field: string, reason: string): ApiError {
  const name = field.startsWith('permit') || field.startsWith('route') ? `quote.${field}` : field
  const details = [{ field: name, code: 'bad_request' as const, reason }]
  return new ApiError('bad_request', `\`${name}\` ${reason}.`, { details })
}
