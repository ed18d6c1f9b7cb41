import { describe, expect, test } from 'vitest'
import { codes } from './codes.js'

describe('codes', () => {
  test('default: each code has its HTTP status', () => {
    const statuses = Object.entries(codes).map(([code, { status }]) => `${status} ${code}`)
    expect(statuses).toMatchInlineSnapshot(`
      [
        "400 bad_chain",
        "400 bad_in",
        "400 bad_out",
        "400 bad_pair",
        "400 bad_amount_in",
        "400 bad_amount_out",
        "400 bad_recipient",
        "400 bad_slippage_bps",
        "400 bad_deadline_sec",
        "400 bad_exact",
        "400 bad_param",
        "400 bad_token",
        "400 bad_contract",
        "400 bad_version",
        "400 bad_body",
        "400 bad_batch",
        "400 bad_request",
        "400 bad_result",
        "400 rpc_required",
        "400 market_required",
        "422 no_route",
        "422 unresolved",
        "502 rpc_unreachable",
        "502 rpc_stale",
        "413 too_large",
        "404 not_found",
        "405 method_not_allowed",
        "429 rate_limited",
        "503 overloaded",
        "500 internal",
      ]
    `)
  })

  test('behavior: a code is retryable only if the same request can succeed later', () => {
    const retryable = Object.entries(codes).filter(([, facts]) => facts.retryable)
    expect(retryable.map(([code]) => code)).toEqual([
      'rpc_unreachable',
      'rpc_stale',
      'rate_limited',
      'overloaded',
      'internal',
    ])
  })
})
