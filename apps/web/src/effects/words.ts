import { BaseError, RpcRequiredError } from '@sluice/sdk'
import type { Problem } from '../machine/State.js'

/** Causes of `no_route`, as people say them. `$` stands for the token. */
const causes: Readonly<Record<string, string>> = {
  transfer_paused: '$ refuses transfers now, so nobody can swap it.',
  no_pools: 'No pool connects these two tokens, or none takes this amount.',
  nothing_out: 'The amount is so small that nothing would come out.',
  dry_run_failed: 'A test run of the swap failed: a token or a pool refuses it.',
}

const unresolved =
  'This service knows no token called $ on this chain. Choose one from the list, or paste the address of its contract.'

/** A failed quote, in words for people; what the code means stands behind the link. */
export function problemOf(error: unknown, names: { in: string; out: string }): Problem {
  if (error instanceof RpcRequiredError)
    return {
      code: 'rpc_required',
      message:
        'This service makes no quotes itself: name a node of your own under “Your node”, and it computes them.',
    }
  if (!(error instanceof BaseError))
    return {
      code: 'internal',
      message: 'Something failed that this page did not expect.',
      mayRetry: true,
    }
  const { code, docs, retryable } = error
  const details =
    (error as { details?: readonly { field: string; code: string; reason: string }[] }).details ??
    []
  const [detail] = details
  const cause = causes[detail?.code ?? '']
  const name = detail?.field === 'out' ? names.out : names.in
  const message = (code === 'unresolved' ? unresolved : cause)?.replace('$', name)
  return {
    code,
    message: message ?? plainWords[code] ?? error.shortMessage.replaceAll('`', ''),
    details: details.length > 1 ? details : undefined,
    docs,
    mayRetry: retryable,
  }
}

const plainWords: Readonly<Record<string, string>> = {
  network: 'The service cannot be reached. Looking again by itself; your form is kept.',
  timeout: 'The service takes too long. Looking again by itself.',
  rpc_unreachable:
    'No node of this chain answers now, so there is no price. That says nothing about the route.',
  rpc_stale: "The chain's nodes are behind, so there is no price that could be trusted.",
  overloaded: 'The service is busy. Looking again by itself.',
  rate_limited: 'Too many questions from your address. Looking again by itself.',
}
