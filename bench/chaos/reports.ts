import type { Engine } from '@sluice/engine'
import type { Chain, ChainBlock } from './Chain.js'
import { headFreshMs } from './clients.js'
import { tokenOut } from './encodePlan.js'
import { balanceOf, decimalsOf, pairOf, symbolOf, taxBps, tokenOf } from './simulate.js'

/** A rule that a report breaks, with what it said. */
export type Problem = {
  readonly rule: string
  readonly said: string
  /** Of the refusal of which it is made, if it is made of one. */
  readonly code?: string
}

type XrayAnswer = Awaited<ReturnType<Engine['xray']>>
type Resolved = Awaited<ReturnType<Engine['lookUp']>>

/** What every pool holds of the stablecoin at least, in whole ones, and what blocks add to it at most. */
const [depthUsd, maxMoreUsd] = [1_000_000, 5_000]

/** Holds an x-ray against the chain: each block has other balances, so those of another one show. */
export function checkXray(
  chain: Chain,
  place: number,
  { isStale, xray }: XrayAnswer,
  startedAt: number,
): Problem | undefined {
  const { block, pools, tax } = xray
  if (isStale) return { rule: 'a stale report of a token that was not asked for before', said: '' }
  const since = startedAt - headFreshMs
  const own = chain.everAt(Number(block.number)).find(({ hash }) => hash === block.hash)
  const isOld = Number(block.number) < chain.tipAt(since) - 1
  if (own === undefined || isOld || !chain.wasCanonical(own.hash, since))
    return { rule: 'an x-ray of a block that is not true, or old', said: said(block) }
  const [pool] = pools
  if (pools.length !== 1 || !pool || !isHeld(pool, place, own))
    return { rule: 'an x-ray with other balances than the pool has', said: said(pools) }
  const rates = [tax.buyBps, tax.sellBps, tax.transferBps]
  if (rates.some((rate) => rate !== undefined && rate !== Number(taxBps)))
    return { rule: 'a tax that the token does not take', said: said(rates) }
  if (tax.reason === 'The token refuses the transfer.')
    return { rule: 'a refusal that the token did not make', said: tax.reason }
  return undefined
}

function isHeld(
  { base, pair, quote }: XrayAnswer['xray']['pools'][number],
  place: number,
  block: ChainBlock,
): boolean {
  return [
    { side: base, token: tokenOf(place) },
    { side: quote, token: tokenOut },
  ].every(
    ({ side, token }) =>
      side.token.toLowerCase() === token.toLowerCase() &&
      side.decimals === decimalsOf(token) &&
      side.balance === balanceOf(token, pair as typeof token, block) &&
      pair.toLowerCase() === pairOf(place).toLowerCase(),
  )
}

/** Holds the meaning of a symbol against the only token that has it. */
export function checkSymbol(place: number, resolved: Resolved): Problem | undefined {
  const rule = 'a symbol that means something else'
  if (!resolved.ok)
    return {
      rule: 'a symbol that means nothing, though it does',
      said: resolved.reason,
      code: 'no_route',
    }
  const { address, resolved: told } = resolved.token
  const isRight =
    address.toLowerCase() === tokenOf(place).toLowerCase() && told?.symbol === symbolOf(place)
  if (!isRight) return { rule, said: JSON.stringify({ address, told }) }
  const depth = told.liquidityUsd
  if (depth === null || depth < depthUsd || depth > depthUsd + maxMoreUsd)
    return { rule: 'a depth that the pool does not have', said: `${depth}` }
  return undefined
}

function said(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
}
