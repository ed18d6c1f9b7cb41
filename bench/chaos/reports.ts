import type { Engine } from '@sluice/engine'
import type { Chain, ChainBlock } from './Chain.js'
import { headFreshMs } from './clients.js'
import { tokenOut } from './encodePlan.js'
import { balanceOf, decimalsOf, pairOf, symbolOf, taxBps, tokenOf } from './simulate.js'

/** A rule that a report breaks, with the content that breaks it. */
export type Problem = {
  readonly rule: string
  readonly said: string
  /** Error code, if the report is an error. */
  readonly code?: string
}

type XrayAnswer = Awaited<ReturnType<Engine['xray']>>
type Resolved = Awaited<ReturnType<Engine['lookUp']>>

/** Minimum balance of the stablecoin in each pool, in whole tokens, and the maximum that a block adds to it. */
const [depthUsd, maxMoreUsd] = [1_000_000, 5_000]

/** Compares an x-ray with the chain. Each block has different balances, so that a wrong block is detected. */
export function checkXray(
  chain: Chain,
  place: number,
  { isStale, xray }: XrayAnswer,
  startedAt: number,
): Problem | undefined {
  const { block, pools, tax } = xray
  if (isStale) return { rule: 'a stale report of a token without an earlier report', said: '' }
  const since = startedAt - headFreshMs
  const own = chain.everAt(Number(block.number)).find(({ hash }) => hash === block.hash)
  const isOld = Number(block.number) < chain.tipAt(since) - 1
  if (own === undefined || isOld || !chain.wasCanonical(own.hash, since))
    return { rule: 'an x-ray of a false or old block', said: said(block) }
  const [pool] = pools
  if (pools.length !== 1 || !pool || !isHeld(pool, place, own))
    return { rule: "an x-ray with balances that differ from the pool's", said: said(pools) }
  const rates = [tax.buyBps, tax.sellBps, tax.transferBps]
  if (rates.some((rate) => rate !== undefined && rate !== Number(taxBps)))
    return { rule: 'a tax that the token does not charge', said: said(rates) }
  if (tax.reason === 'The token refuses the transfer.')
    return { rule: 'a rejected transfer that the token accepts', said: tax.reason }
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

/** Checks that a symbol resolves to the only token that has it. */
export function checkSymbol(place: number, resolved: Resolved): Problem | undefined {
  const rule = 'a symbol that resolves to another token'
  if (!resolved.ok)
    return {
      rule: 'an existing symbol that does not resolve',
      said: resolved.reason,
      code: 'no_route',
    }
  const { address, resolved: told } = resolved.token
  const isRight =
    address.toLowerCase() === tokenOf(place).toLowerCase() && told?.symbol === symbolOf(place)
  if (!isRight) return { rule, said: JSON.stringify({ address, told }) }
  const depth = told.liquidityUsd
  if (depth === null || depth < depthUsd || depth > depthUsd + maxMoreUsd)
    return { rule: "a depth that differs from the pool's", said: `${depth}` }
  return undefined
}

function said(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
}
