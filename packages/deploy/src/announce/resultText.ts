import type { AnnouncedPool } from './announcePools.js'
import type { AnnouncementPlan } from './planAnnouncements.js'

const reasons = {
  position: 'known already: a position was held in it',
  announcement: 'known already: it was announced before',
} as const

/** What became of each pool, in plain lines. */
export function resultText(
  { adapter, chain, chainId }: Pick<AnnouncementPlan, 'adapter' | 'chain' | 'chainId'>,
  pools: readonly AnnouncedPool[],
): string {
  return [
    `Pools with hooks on ${chain} (${chainId}), adapter ${adapter}`,
    ...pools.map((each) => `  ${each.pool}  ${outcomeOf(each)}`),
    summaryOf(pools),
  ].join('\n')
}

function outcomeOf({ gas, knownBy, transaction }: AnnouncedPool): string {
  if (knownBy !== undefined) return reasons[knownBy]
  return transaction === undefined
    ? `would be announced, for about ${gas} gas`
    : `announced in transaction ${transaction}`
}

function summaryOf(pools: readonly AnnouncedPool[]): string {
  const sent = pools.filter(({ transaction }) => transaction !== undefined).length
  if (sent > 0) return sent === 1 ? '1 transaction sent.' : `${sent} transactions sent.`
  return pools.some(({ gas }) => gas !== undefined)
    ? 'Nothing was sent. To send it, pass --key-file, DEPLOY_KEY or --from, and no --dry-run.'
    : 'All pools are known; nothing was sent.'
}
