import { routerAbi } from '@sluice/abi'
import { type Client, decodeFunctionResult } from 'viem'
import { call } from 'viem/actions'
import { RpcUnreachableError } from '../errors.js'
import { type VerifyOptions, verifyTransaction } from '../verify/verifyTransaction.js'
import type { Address } from '../wire.js'
import { demandChain } from './demandChain.js'
import { revertOf } from './revertOf.js'
import { SwapRevertedError } from './SwapRevertedError.js'

/** The quote to simulate, and the request that it must match. */
export type SimulateParameters = VerifyOptions & {
  /** Account that will send the transaction. It must hold the input and have approved the Router. */
  account: Address
}

/**
 * Simulates the quote's transaction on the client's node.
 *
 * @returns Amount that the recipient would be paid, in base units of `tokenOut`.
 * @throws SwapRevertedError with the Router's error; IntegrityError before the simulation.
 */
export async function simulate(client: Client, parameters: SimulateParameters): Promise<bigint> {
  const { account, quote, ...options } = parameters
  const { data: calldata, to, value } = verifyTransaction(quote.tx ?? {}, { quote, ...options })
  await demandChain(client, quote.chainId)
  const { data = '0x' } = await call(client, { account, to, data: calldata, value }).catch(
    (cause: unknown) => {
      const revert = revertOf(cause)
      if (revert !== undefined) throw new SwapRevertedError(revert, cause)
      throw new RpcUnreachableError('Your node did not respond.', {
        code: 'rpc_unreachable',
        cause,
        retryable: true,
      })
    },
  )
  return decodeFunctionResult({ abi: routerAbi, functionName: 'swapExactIn', data })
}
