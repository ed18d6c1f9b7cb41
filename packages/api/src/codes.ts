/** What an integrator can rely on about an error code. */
export type CodeFacts = {
  /** HTTP status; the plumbing codes may come with a nearer one (414, 415, 431, 408). */
  readonly status: 400 | 404 | 405 | 413 | 422 | 429 | 500 | 502 | 503
  /** Whether the same request may succeed when it is sent again a little later. */
  readonly retryable: boolean
  readonly meaning: string
}

const badParameter = (meaning: string): CodeFacts => ({ status: 400, retryable: false, meaning })

/** Every error code of the API. */
export const codes = {
  bad_chain: badParameter('`chain` is not a chain that is served here.'),
  bad_in: badParameter('`in` is not a token of the chain.'),
  bad_out: badParameter('`out` is not a token of the chain.'),
  bad_pair: badParameter('`in` and `out` are the same token; ETH and WETH count as one.'),
  bad_amount_in: badParameter('`amountIn` is not an integer in base units above zero.'),
  bad_recipient: badParameter('`recipient` is not an address that can be paid.'),
  bad_slippage_bps: badParameter('`slippageBps` is not an integer from 0 to 5000.'),
  bad_deadline_sec: badParameter('`deadlineSec` is not an integer from 10 to 3600.'),
  bad_exact: badParameter('`exact` is not `1`.'),
  bad_param: badParameter('A parameter is unknown, was sent twice, or an additive one is wrong.'),
  bad_contract: badParameter('`contract` is not the name of a contract with an ABI here.'),
  bad_version: badParameter('`version` is not a generation of the protocol.'),
  bad_body: badParameter('The body is not JSON of the accepted form.'),
  bad_batch: badParameter(
    'The batch is not `{requests: […]}` or `{items: […]}` of 1 to 10 quotes, or 1 to 32 prepared ones.',
  ),
  bad_request: badParameter(
    'The request is not understood; on decode, prepare did not make it, or it has expired.',
  ),
  bad_result: badParameter(
    "The node's answer fails a check that the message names: strict, bound, arithmetic or witness.",
  ),
  rpc_required: badParameter(
    'This service quotes on no node; `prepared` holds the call for a node of your own.',
  ),
  no_route: {
    status: 422,
    retryable: false,
    meaning: 'The chain was read and has no executable route for this trade.',
  },
  rpc_unreachable: {
    status: 502,
    retryable: true,
    meaning: 'No node of the chain gave a valid answer in time. Says nothing about the route.',
  },
  rpc_stale: {
    status: 502,
    retryable: true,
    meaning: 'The nodes of the chain answer, but their latest block is too old to quote on.',
  },
  too_large: {
    status: 413,
    retryable: false,
    meaning: 'The body is above 64 KiB, the URL above 2 KiB or the headers above 8 KiB.',
  },
  not_found: { status: 404, retryable: false, meaning: 'There is nothing at this path.' },
  method_not_allowed: {
    status: 405,
    retryable: false,
    meaning: 'The path exists, but not for this method; see the `Allow` header.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    meaning: 'This address asks more often than the operator allows; see `Retry-After`.',
  },
  overloaded: {
    status: 503,
    retryable: true,
    meaning: 'The service has as much in hand as it can do in time; see `Retry-After`.',
  },
  internal: { status: 500, retryable: true, meaning: 'The service has a fault of its own.' },
} as const satisfies Record<string, CodeFacts>

export type Code = keyof typeof codes

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}
