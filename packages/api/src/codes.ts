/** Properties of an error code. Responses, pages and tools are built from them. */
export type CodeFacts = {
  /** HTTP status. Transport errors may use a more precise one (408, 414, 415, 431). */
  readonly status: 400 | 404 | 405 | 413 | 422 | 429 | 500 | 502 | 503
  /** Whether the same request may succeed a little later. */
  readonly retryable: boolean
  readonly meaning: string
  /** What to do next. */
  readonly advice: string
  /** The invalid parameter or member, if the code always means the same one. */
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
    'This service does not serve the chain in `chain`.',
    'Send a chain id or name from GET /api/manifest; `details` lists the chains of this service.',
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
    'Send two different tokens. To wrap or unwrap ETH, call the WETH contract.',
    'out',
  ),
  bad_amount_in: badParameter(
    '`amountIn` is not an integer in base units above zero.',
    'Send a string of 1 to 77 digits, without sign, decimal point or exponent: 1.5 WETH is "1500000000000000000".',
    'amountIn',
  ),
  bad_amount_out: badParameter(
    '`amountOut` is not an integer in base units above zero, or was sent together with `amountIn`.',
    'Send either `amountIn` or `amountOut`, as a string of 1 to 77 digits: 1.5 WETH is "1500000000000000000".',
    'amountOut',
  ),
  bad_recipient: badParameter(
    '`recipient` is not an address that the Router can pay.',
    'Send the 0x-address of your wallet. A mixed-case address needs a valid checksum. Contracts of the protocol and the two tokens are rejected.',
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
    'A parameter is unknown, repeated or invalid.',
    'See `details` for each parameter and what is wrong with it. Names are case-sensitive.',
  ),
  bad_token: badParameter(
    '`token`, or an entry of `tokens`, is neither an address nor a symbol, or there are too many of them.',
    'Send the 0x-address of an ERC-20 token on that chain, or a symbol of at most 32 ASCII characters; several in a comma-separated list.',
    'token',
  ),
  bad_contract: badParameter(
    '`contract` is not the name of a contract of the protocol.',
    'GET /api/abi without parameters lists the names.',
    'contract',
  ),
  bad_version: badParameter(
    '`version` is not a generation of the protocol, or not deployed on that chain.',
    'Leave it out for 1.0.0. GET /api/deployments lists the chains of each generation; `2` and `2.0.0` are the same.',
    'version',
  ),
  bad_body: badParameter(
    'The body is not a JSON object of the expected form.',
    'Send an uncompressed JSON object with content-type application/json, at most 8 levels deep and without duplicate members.',
  ),
  bad_batch: badParameter(
    'The batch is not `{requests: […]}` with 1 to 10 quotes (1 to 32 for prepare), or `{items: […]}` with 1 to 32 items for decode.',
    'Split longer lists. An item that fails does not fail the batch: its error takes its place.',
  ),
  bad_request: badParameter(
    'The request is malformed. For decode: it did not come from prepare, or it has expired.',
    'For decode, call prepare again and send its `request` unchanged within two minutes.',
  ),
  bad_result: badParameter(
    "The node's response fails a check; the message says which: strict, bound, arithmetic or witness.",
    'Do not sign anything from it. Send the prepared call to the node again; if it fails again, ask another node.',
    'result',
  ),
  rpc_required: badParameter(
    'This service has no node for the chain; `prepared` holds the call for your own node.',
    'Send `prepared.rpcRequest` to your node, then send its response with `prepared.request` to POST /api/quote/decode.',
  ),
  market_required: badParameter(
    'The request needs market data, and this service has no source for the chain.',
    'Use a service with market data, or send token addresses: GET /api/quote then needs no market data. Operators: see MARKET_DATA.',
  ),
  no_route: {
    status: 422,
    retryable: false,
    meaning: 'The chain was read and has no executable route for this trade.',
    advice:
      'Try a smaller or a larger amount, or another pair; `explain=1` says which pools were looked at. The same request may succeed on a later block, when pools have changed.',
  },
  unresolved: {
    status: 422,
    retryable: false,
    meaning:
      'The symbol does not identify one token: it is unknown, resembles another symbol, has too little real liquidity, or belongs to several tokens.',
    advice:
      "Send the token's address, from a source that you trust: anyone can give a token any symbol.",
  },
  rpc_unreachable: {
    status: 502,
    retryable: true,
    meaning:
      'No node of the chain, or no market-data source, gave a valid response in time. A route may still exist.',
    advice:
      'Retry after a second or two, and back off. GET /api/quote/prepare needs no node, and token addresses need no market data.',
  },
  rpc_stale: {
    status: 502,
    retryable: true,
    meaning: 'The nodes of the chain respond, but their latest block is too old to quote on.',
    advice:
      'Retry in a few seconds; the chain or its nodes are behind. Operators: see MAX_BLOCK_AGE_MS.',
  },
  too_large: {
    status: 413,
    retryable: false,
    meaning:
      'The body exceeds 64 KiB, the URL 2 KiB or the headers 8 KiB, or the response would be too long.',
    advice: 'Send less: split batches, and leave out cookies and unused headers.',
  },
  not_found: {
    status: 404,
    retryable: false,
    meaning: 'The path does not exist.',
    advice: 'GET /api lists the paths. They are case-sensitive and end without a slash.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    meaning: 'The path does not accept this method; see the `Allow` header.',
    advice: 'Use a method from the `Allow` header.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    meaning: 'This address sends more requests than the operator allows; see `Retry-After`.',
    advice:
      'Wait for the seconds in `Retry-After`. The `RateLimit` header of every response shows the remaining points. A batch costs as much as its items; repeating a quote within one block costs almost nothing.',
  },
  overloaded: {
    status: 503,
    retryable: true,
    meaning: 'The service has too much work to respond in time; see `Retry-After`.',
    advice: 'Wait for the seconds in `Retry-After`, then retry and back off.',
  },
  internal: {
    status: 500,
    retryable: true,
    meaning: 'The service failed.',
    advice:
      'Retry once. If it fails again, send the `requestId` to the operator, who finds the cause in the log.',
  },
} as const satisfies Record<string, CodeFacts>

export type Code = keyof typeof codes

/** Whether a string is an error code of this API. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}

/** Path of the page that explains a code. */
export function docsPath(code: Code): string {
  return `/errors/${code}`
}
