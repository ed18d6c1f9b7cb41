import { badgeResponse, solvencyResponse } from '../solvency.js'
import { statsResponse } from '../stats.js'
import { xrayParameters, xrayResponse } from '../xray.js'
import type { Description } from './Operation.js'

/** Reports on the protocol and on tokens. */
export const reportOperations = {
  getStats: {
    summary: 'Fills and unique traders of every chain, counted from its Swap events',
    description:
      'From an index of the logs of every generation of the Router; no node is asked for an answer. Each chain carries the log filter and the range of blocks that reproduce its figures. A chain that could not be read has `ok: false`, a code, and null in place of figures, and the totals are those of the chains that were read. Cached for about five minutes.',
    success: { schema: statsResponse },
    errors: ['bad_param', 'overloaded'],
    tag: 'registry',
    points: 1,
    isWork: true,
    discovery: {
      name: 'stats',
      note: 'Counted from Swap events; carries the log filter that reproduces each figure.',
    },
  },
  getBadge: {
    summary: 'The live `isSolvent()` of Staking, as a badge',
    description:
      'The endpoint schema of badge-rendering services, version 1. Green is only what was read to be solvent: a chain that cannot be read is `unknown`, and where no Staking is deployed it is `not deployed`.',
    success: { schema: badgeResponse },
    errors: ['bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
    discovery: { name: 'badge', note: 'Never green for what could not be read.' },
  },
  getSolvency: {
    summary: 'How Staking stands on every chain, and how to read it again',
    description:
      'Additive; the page /solvency as JSON. Each reading is of one block, which it names, and carries the raw answers and the call that repeats it. Readings serve everybody for five seconds.',
    success: { schema: solvencyResponse },
    errors: ['bad_param', 'overloaded'],
    tag: 'registry',
    points: 1,
    isWork: true,
  },
  getSolvencyPage: {
    summary: 'Proof of solvency, for people',
    success: { mediaType: 'text/html' },
    errors: ['bad_param', 'overloaded'],
    tag: 'registry',
    points: 1,
    isWork: true,
    discovery: { name: 'solvency', note: 'As JSON at /api/solvency.' },
  },
  getXray: {
    summary: "A token's reported reserves against what its pools hold",
    description:
      'The reserves that a market-data aggregator reports, against `balanceOf(pair)` of each pool at one block, read by one call that is in the answer. Only missing reserves count as phantom: a balance above the report is uncollected fees or a gift. The same report serves everybody for a minute. If the source is down the answer is the last report, marked `stale`, or 502. A service that asks no source of market data for the chain answers 400 `market_required`.',
    query: xrayParameters,
    success: { schema: xrayResponse },
    errors: [
      'bad_chain',
      'bad_token',
      'bad_param',
      'unresolved',
      'market_required',
      'rpc_unreachable',
      'rpc_stale',
      'overloaded',
      'rate_limited',
    ],
    tag: 'registry',
    points: 10,
    isWork: true,
  },
} as const satisfies Record<string, Description>
