/** What an integrator can rely on about an error code. The answers, the pages and the tools are all made of it. */
export type CodeFacts = {
  /** HTTP status; the plumbing codes may come with a nearer one (414, 415, 431, 408). */
  readonly status: 400 | 404 | 405 | 413 | 422 | 429 | 500 | 502 | 503
  /** Whether the same request may succeed when it is sent again a little later. */
  readonly retryable: boolean
  readonly meaning: string
  /** What to do next. */
  readonly advice: string
  /** The parameter, header or member that it speaks of, where that is always the same one. */
  readonly field?: string
}

const badParameter = (meaning: string, advice: string, field?: string): CodeFacts => ({
  status: 400,
  retryable: false,
  meaning,
  advice,
  ...(field !== undefined && { field }),
})

/** Every error code of the API. */
export const codes = {
  bad_chain: badParameter(
    '`chain` is not a chain that is served here.',
    'Send a chain id or name of GET /api/manifest; `details` names those that this service serves.',
    'chain',
  ),
  bad_in: badParameter(
    '`in` is not a token of the chain.',
    'Send the address of an ERC-20 token on that chain, or one of the symbols that the OpenAPI document lists.',
    'in',
  ),
  bad_out: badParameter(
    '`out` is not a token of the chain.',
    'Send the address of an ERC-20 token on that chain, or one of the symbols that the OpenAPI document lists.',
    'out',
  ),
  bad_pair: badParameter(
    '`in` and `out` are the same token; ETH and WETH count as one.',
    'Ask for two different tokens. To wrap or unwrap, call the WETH contract itself: there is nothing to route.',
    'out',
  ),
  bad_amount_in: badParameter(
    '`amountIn` is not an integer in base units above zero.',
    'Send 1 to 77 digits without sign, point or exponent, as a text: 1.5 WETH is "1500000000000000000".',
    'amountIn',
  ),
  bad_recipient: badParameter(
    '`recipient` is not an address that can be paid.',
    'Send the 0x-address of a wallet of yours; a mixed-case one must have the right checksum, and contracts of the protocol and the tokens themselves are refused.',
    'recipient',
  ),
  bad_slippage_bps: badParameter(
    '`slippageBps` is not an integer from 0 to 5000.',
    "Send basis points (50 is 0.5 %), or leave it out for the protocol's floor.",
    'slippageBps',
  ),
  bad_deadline_sec: badParameter(
    '`deadlineSec` is not an integer from 10 to 3600.',
    'Send seconds from now, or leave it out for 120.',
    'deadlineSec',
  ),
  bad_exact: badParameter(
    '`exact` is not `1`.',
    'Send `exact=1`, or leave it out for a preview.',
    'exact',
  ),
  bad_param: badParameter(
    'A parameter is unknown, was sent twice, or an additive one is wrong.',
    'Look at `details`: it names each parameter and what is wrong with it. Names are case-sensitive.',
  ),
  bad_token: badParameter(
    '`token` is neither an address nor a symbol.',
    'Send the 0x-address of an ERC-20 token on that chain, or a symbol of at most 32 ASCII characters.',
    'token',
  ),
  bad_contract: badParameter(
    '`contract` is not the name of a contract with an ABI here.',
    'GET /api/abi without parameters lists the names.',
    'contract',
  ),
  bad_version: badParameter(
    '`version` is not a generation of the protocol, or not deployed on that chain.',
    'Leave it out for 1.0.0. GET /api/deployments lists where each generation stands; `2` and `2.0.0` are the same.',
    'version',
  ),
  bad_body: badParameter(
    'The body is not JSON of the accepted form.',
    'Send a JSON object with content-type application/json, at most 8 levels deep, no member twice, not compressed.',
  ),
  bad_batch: badParameter(
    'The batch is not `{requests: […]}` or `{items: […]}` of 1 to 10 quotes, or 1 to 32 prepared ones.',
    'Split longer lists. Single items that fail do not fail the batch; they stand in their places.',
  ),
  bad_request: badParameter(
    'The request is not understood; on decode, prepare did not make it, or it has expired.',
    'For decode, call prepare again and send its `request` back unchanged, within two minutes.',
  ),
  bad_result: badParameter(
    "The node's answer fails a check that the message names: strict, bound, arithmetic or witness.",
    'Do not sign anything of it. Ask the node again with the prepared call; if it fails again, ask another node.',
    'result',
  ),
  rpc_required: badParameter(
    'This service quotes on no node; `prepared` holds the call for a node of your own.',
    'Send `prepared.rpcRequest` to your node, and its answer with `prepared.request` to POST /api/quote/decode.',
  ),
  market_required: badParameter(
    'This service asks no source of market data, or none that has the chain, and the answer is made of one.',
    'Ask a service that has one. Operators: see MARKET_DATA. GET /api/quote needs none if tokens are addresses.',
  ),
  no_route: {
    status: 422,
    retryable: false,
    meaning: 'The chain was read and has no executable route for this trade.',
    advice:
      'Try a smaller or a larger amount, or another pair. The same request may succeed on a later block, when pools have changed.',
  },
  unresolved: {
    status: 422,
    retryable: false,
    meaning:
      'The symbol means no token beyond doubt: it is unknown here, looks like another, or has too little real liquidity or several tokens behind it.',
    advice:
      "Send the token's address in place of the symbol, from a source that you trust; anyone can give a token any symbol.",
  },
  rpc_unreachable: {
    status: 502,
    retryable: true,
    meaning:
      'No node of the chain, or no source of market data, gave a valid answer in time. Says nothing about the route.',
    advice:
      'Ask again in a second or two, with a growing pause. GET /api/quote/prepare needs no node of the service, and addresses need no market data.',
  },
  rpc_stale: {
    status: 502,
    retryable: true,
    meaning: 'The nodes of the chain answer, but their latest block is too old to quote on.',
    advice:
      'Ask again in some seconds; the chain or its nodes are behind. Operators: see MAX_BLOCK_AGE_MS.',
  },
  too_large: {
    status: 413,
    retryable: false,
    meaning:
      'The body is above 64 KiB, the URL above 2 KiB, the headers above 8 KiB, or the answer would be too long.',
    advice: 'Send less: split batches, and leave out cookies and headers that nobody asks for.',
  },
  not_found: {
    status: 404,
    retryable: false,
    meaning: 'There is nothing at this path.',
    advice: 'GET /api lists what there is. Paths are case-sensitive and end without a slash.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    meaning: 'The path exists, but not for this method; see the `Allow` header.',
    advice: 'Use a method of the `Allow` header.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    meaning: 'This address asks more often than the operator allows; see `Retry-After`.',
    advice:
      'Wait as long as `Retry-After` says. `RateLimit` on every answer tells what is left; a batch of quotes costs as much as its items, a repeated quote of one block almost nothing.',
  },
  overloaded: {
    status: 503,
    retryable: true,
    meaning: 'The service has as much in hand as it can do in time; see `Retry-After`.',
    advice: 'Wait as long as `Retry-After` says, then ask again with a growing pause.',
  },
  internal: {
    status: 500,
    retryable: true,
    meaning: 'The service has a fault of its own.',
    advice:
      'Ask again once. If it stays, tell the operator the `requestId`: the log has the cause.',
  },
} as const satisfies Record<string, CodeFacts>

export type Code = keyof typeof codes

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}

/** Where the service explains a code, as a path of its own. */
export function docsPath(code: Code): string {
  return `/errors/${code}`
}
