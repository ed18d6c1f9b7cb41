import { Addresses, SwapWay } from '@sluice/domain'
import { encodeFunctionData, erc20Abi } from 'viem'
import type { Quote } from '../amounts.js'
import type { Address, Hex } from '../wire.js'
import { demand } from './demand.js'
import { demandSources } from './demandSources.js'
import { resolveRequest } from './resolveRequest.js'
import { soldOf, type VerifyOptions, verifyTransaction } from './verifyTransaction.js'

/** A call of a quote, every field of it compared with what was asked. */
export type VerifiedCall = {
  readonly purpose: NonNullable<Quote['calls']>[number]['purpose']
  readonly to: Address
  readonly data: Hex
  /** Native coin that goes along. */
  readonly value: bigint
  /** Limit of its gas, as the service measured it. */
  readonly gas: bigint
}

const depositData = '0xd0e30db0'

/**
 * Compares every remaining call of a quote with what was asked, before any of them is signed: wraps no more than is sold,
 * approves exactly what is sold to the Router of the registry and to nobody else, and swaps as `verifyTransaction` says.
 *
 * @throws IntegrityError naming the field; InvalidParameterError if the request itself is wrong.
 */
export function verifyCalls(given: VerifyOptions): readonly VerifiedCall[] {
  const options = withoutPermit(given)
  const { quote, registry, request } = options
  const asked = resolveRequest(registry, { ...request, includeSources: null, excludeSources: null })
  demandSources(quote.route, asked, options)
  const { chain, tokenIn } = asked
  const amountIn = soldOf(asked, quote)
  const spender = SwapWay.spenderOf(SwapWay.of(asked), chain.contracts.router)
  const approvalOf = (amount: bigint) =>
    spender &&
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  return (quote.calls ?? []).map((call) => {
    const { purpose, value } = call
    if (purpose === 'swap') {
      verifyTransaction(call, options)
      return call as VerifiedCall
    }
    const isWrap = purpose === 'wrap'
    const data = isWrap ? depositData : approvalOf(purpose === 'reset_allowance' ? 0n : amountIn)
    const message = `The call to ${purpose} is not what was asked`
    demand(Addresses.equal(call.to, tokenIn.address), 'to', message)
    demand(call.data.toLowerCase() === data, 'data', message)
    demand(value <= (isWrap && tokenIn.isNative ? amountIn : 0n), 'value', message)
    return call as VerifiedCall
  })
}

/** A quote with a permit has calls only if its sender cannot give one: these then pay by an allowance. */
function withoutPermit(options: VerifyOptions): VerifyOptions {
  if (options.request.signature !== 'permit') return options
  return { ...options, request: { ...options.request, signature: undefined } }
}
