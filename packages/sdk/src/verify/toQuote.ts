import {
  Amounts,
  type DecodedQuote as Domain,
  GasCost,
  IntegratorFee,
  Overrides,
  Plan,
  PreparedRequest,
  SwapGas,
  SwapWay,
} from '@sluice/domain'
import type { DecodedQuote } from '../amounts.js'

/** Converts a decoded quote to the format that `decodeQuote` returns. */
export function toQuote({ integrity, quote }: Domain.DecodedQuote): DecodedQuote {
  const { approval, permit, plan, request, soldRoute, tx, txReason, warnings } = quote
  const { witness } = plan
  return {
    ok: true,
    mode: request.isExact ? 'exact' : 'preview',
    chainId: request.chain.chainId,
    tokenIn: request.tokenIn.address,
    tokenOut: request.tokenOut.address,
    amountIn: plan.route.amountIn,
    amountOut: plan.netOut,
    ...(plan.inputBound && {
      exactOutput: {
        amountOut: request.amountOut!,
        amountInMax: soldRoute.amountIn,
        ...Plan.inputBoundOf(plan.inputBound),
      },
    }),
    quote: numbersOf(quote),
    route: soldRoute,
    ...(tx && { tx: transactionOf(tx) }),
    ...(approval && { approval }),
    ...(txReason !== undefined && { txReason }),
    ...(permit && { permit: permitOf(permit, quote) }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(request.overrides && {
      overrides: Overrides.summaryOf(request.overrides, PreparedRequest.defaultHash),
    }),
    wrapRequired: request.tokenIn.isNative && !SwapWay.takesMore(request.chain),
    unwrapAfter: request.tokenOut.isNative && !SwapWay.takesMore(request.chain),
    integrity,
    witness: { ...witness, chainId: Number(witness.chainId) },
  }
}

function permitOf(
  permit: NonNullable<Domain.DecodedQuote['quote']['permit']>,
  { plan }: Domain.DecodedQuote['quote'],
) {
  const { typedData } = permit
  const { integratorFee, ...terms } = permit
  const gas = SwapGas.limit(plan, permit.kind, integratorFee)
  return {
    ...terms,
    gas,
    ...(integratorFee && {
      integrator: integratorFee.integrator,
      integratorFeeBps: integratorFee.bps,
    }),
    typedData: typedData as NonNullable<DecodedQuote['permit']>['typedData'],
  }
}

function transactionOf(tx: NonNullable<Domain.DecodedQuote['quote']['tx']>) {
  const { deadline, ...call } = tx
  return { ...call, deadline: Number(deadline.at), deadlineFrom: deadline.countedFrom }
}

function integratorFeeOf({ plan, request }: Domain.DecodedQuote['quote']) {
  const { integratorFee: fee } = request
  if (fee === undefined) return undefined
  return {
    integrator: fee.integrator,
    integratorFeeBps: fee.bps,
    integratorFee: IntegratorFee.of(plan.route.grossOut, fee),
  }
}

function numbersOf(quote: Domain.DecodedQuote['quote']) {
  const { canExecute, effectiveMinOut, estGas, gasCostOut, plan, reason, request } = quote
  return {
    grossOut: plan.route.grossOut,
    protocolFee: plan.protocolFee,
    netOut: plan.netOut,
    ironFloor: plan.ironFloor,
    effectiveMinOut,
    impactBps: Number(plan.route.impactBps),
    estGas,
    gasPriceWei: request.gasPrice,
    gasPriceSource: GasCost.sourceOf(request),
    ...(gasCostOut !== undefined && { gasCostOut }),
    hops: Number(plan.hops),
    legs: plan.route.legs.length,
    canExecute,
    hasSurplus: plan.hasSurplus,
    feeBps: Amounts.protocolFeeBps,
    ...integratorFeeOf(quote),
    ...Plan.boundOf(plan),
    truncated: plan.truncated,
    ...(reason !== undefined && { reason }),
  }
}
