import { Amounts, type DecodedQuote as Domain } from '@sluice/domain'
import type { DecodedQuote } from '../amounts.js'

/** The decoded quote as `decodeQuote` would read it from the service. */
export function toQuote({ integrity, quote }: Domain.DecodedQuote): DecodedQuote {
  const { approval, plan, request, tx, txReason } = quote
  const { witness } = plan
  return {
    ok: true,
    mode: request.isExact ? 'exact' : 'preview',
    chainId: request.chain.chainId,
    tokenIn: request.tokenIn.address,
    tokenOut: request.tokenOut.address,
    amountIn: request.amountIn,
    amountOut: plan.netOut,
    quote: numbersOf(quote),
    route: plan.route,
    ...(tx && { tx: transactionOf(tx) }),
    ...(approval && { approval }),
    ...(txReason !== undefined && { txReason }),
    wrapRequired: request.tokenIn.isNative,
    unwrapAfter: request.tokenOut.isNative,
    integrity,
    witness: { ...witness, chainId: Number(witness.chainId) },
  }
}

function transactionOf({ data, deadline, to }: NonNullable<Domain.DecodedQuote['quote']['tx']>) {
  return { to, data, value: 0n, deadline: Number(deadline.at), deadlineFrom: deadline.countedFrom }
}

function numbersOf({ canExecute, effectiveMinOut, plan, reason }: Domain.DecodedQuote['quote']) {
  return {
    grossOut: plan.route.grossOut,
    protocolFee: plan.protocolFee,
    netOut: plan.netOut,
    ironFloor: plan.ironFloor,
    effectiveMinOut,
    impactBps: Number(plan.route.impactBps),
    estGas: plan.estGas,
    hops: Number(plan.hops),
    legs: plan.route.legs.length,
    canExecute,
    hasSurplus: plan.hasSurplus,
    feeBps: Amounts.protocolFeeBps,
    upperBound: plan.upperBound,
    gapBps: Number(plan.gapMicroBps) / 1e6,
    truncated: plan.truncated,
    ...(reason !== undefined && { reason }),
  }
}
