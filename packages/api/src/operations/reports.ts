import { badgeResponse, solvencyResponse } from '../solvency.js'
import { statsResponse } from '../stats.js'
import { xrayParameters, xrayResponse } from '../xray.js'
import { type Description, tokenReportErrors } from './Operation.js'

/** Reports on the protocol and on tokens. */
export const reportOperations = {
  getStats: {
    summary: 'Fills and unique traders of every chain, counted from its Swap events',
    description:
      'Read from an index of the logs of all Routers; a request asks no node. Each chain has the log filter and the block range that reproduce its figures. A chain that could not be read has `ok: false`, a code, and null for its figures; the totals leave it out. Cached for about five minutes.',
    success: { schema: statsResponse },
    errors: ['bad_param', 'overloaded'],
    tag: 'registry',
    points: 1,
    isWork: true,
    discovery: {
      name: 'stats',
      note: 'Counted from Swap events; contains the log filter that reproduces each figure.',
    },
    surfaces: { action: 'getStats', tool: 'get_stats', command: 'stats' },
    guide: {
      section: 'reference',
      title: 'Statistics',
      note: 'fills and unique traders, with the log filter that reproduces them; null means unknown, not zero',
    },
  },
  getBadge: {
    summary: 'The live `isSolvent()` of Staking, as a badge',
    description:
      'Version 1 of the endpoint schema that badge services read. Green only if the chain was read and is solvent: `unknown` if a chain cannot be read, `not deployed` if no Staking is deployed.',
    success: { schema: badgeResponse },
    errors: ['bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
    discovery: {
      name: 'badge',
      note: 'Green only if every Staking contract was read and is solvent.',
    },
    surfaces: { action: 'getBadge' },
  },
  getSolvency: {
    summary: 'Solvency of Staking on every chain, and how to read it yourself',
    description:
      'Additive. The page /solvency as JSON. Each reading is from one named block, with the raw results and the call that repeats it. Requests share a reading for five seconds.',
    success: { schema: solvencyResponse },
    errors: ['bad_param', 'overloaded'],
    tag: 'registry',
    points: 1,
    isWork: true,
    surfaces: { action: 'getSolvency', tool: 'get_solvency', command: 'solvency' },
    guide: {
      section: 'reference',
      title: 'Solvency',
      note: 'what Staking holds and owes, at one block, with the call that repeats it; `unknown` is neither solvent nor insolvent',
    },
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
      'Compares the reserves that a market-data source reports with `balanceOf(pair)` of each pool at one block; the response contains the one call that read them. Only missing reserves count as phantom: a balance above the report is uncollected fees or a gift. Requests share a report for a minute. If the source is down, the response is the last report, marked `stale`, or 502. A service without a source for the chain responds with 400 `market_required`.',
    query: xrayParameters,
    success: { schema: xrayResponse },
    errors: [...tokenReportErrors, 'market_required'],
    tag: 'registry',
    points: 10,
    isWork: true,
    surfaces: { action: 'getXray', tool: 'xray_token', command: 'xray' },
    guide: {
      section: 'reference',
      title: 'X-ray',
      query: 'chain=base&token=WETH',
      note: "a token's reported reserves compared with what its pools hold, and its measured tax; null and `unknown` mean not measured, never zero or safe",
    },
  },
} as const satisfies Record<string, Description>
