import { SignedSwap } from '@sluice/domain'
import {
  type Account,
  type Client,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  parseAbi,
  parseSignature,
  BaseError as ViemError,
} from 'viem'
import { readContract, signTypedData } from 'viem/actions'
import { RpcUnreachableError } from '../errors.js'
import { refused } from '../parameters.js'
import type { VerifyOptions } from '../verify/verifyTransaction.js'
import type { Address } from '../wire.js'
import { demandChain } from './demandChain.js'
import { readSwap, type SwapTransaction } from './payments.js'
import { revertOf } from './revertOf.js'
import { signerOf } from './signerOf.js'

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

const types = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/**
 * Signs a token permit (EIP-2612) for exactly the input of the quote, and returns the swap that contains it. Only the signer
 * can send this swap.
 *
 * @throws IntegrityError before anything is signed; InvalidParameterError if the token does not support permits;
 * RpcUnreachableError if the node does not respond; an error of viem if the wallet does not sign.
 */
export async function signPermit(
  client: Client,
  parameters: VerifyOptions & {
    /** Account that sells, signs and sends. @default the account of the client */
    account?: Account | Address | undefined
  },
): Promise<SwapTransaction> {
  const account = signerOf(client, parameters.account)
  const swap = readSwap(parameters)
  const { amountIn, deadline, route, to, tokenIn } = swap
  const { chainId } = parameters.quote
  await demandChain(client, chainId)
  const nonces = {
    address: tokenIn,
    abi: tokenAbi,
    functionName: 'nonces',
    args: [account.address],
  } as const
  const [{ name, version }, nonce] = await Promise.all([
    domainOf(client, tokenIn),
    readContract(client, nonces),
  ]).catch(explain)
  const signature = await signTypedData(client, {
    account,
    domain: { name, version, chainId, verifyingContract: tokenIn },
    types,
    primaryType: 'Permit',
    message: { owner: account.address, spender: to, value: amountIn, nonce, deadline },
  })
  const { r, s, yParity } = parseSignature(signature)
  const permit = { v: 27 + yParity, r, s }
  return { to, data: SignedSwap.encodePermit(route, swap, permit), value: 0n }
}

/** Distinguishes a token without the functions of EIP-2612 from a node that does not respond. */
function explain(cause: unknown): never {
  // Some node implementations report a revert in a format that only its data reveals.
  const isOfToken =
    revertOf(cause) !== undefined ||
    (cause instanceof ViemError &&
      cause.walk(
        (each) =>
          each instanceof ContractFunctionRevertedError ||
          each instanceof ContractFunctionZeroDataError ||
          // viem keeps the error of decoding the node's response among the causes.
          String((each as Partial<Error>).name).startsWith('Abi'),
      ) !== null)
  if (isOfToken)
    throw refused('in', 'does not support permits (EIP-2612): approve it, or use signPermit2')
  throw new RpcUnreachableError('Your node did not respond.', {
    code: 'rpc_unreachable',
    cause,
    retryable: true,
  })
}

/** EIP-712 domain of a token: from `eip712Domain()` (EIP-5267), or its `name()` and `version()`, which defaults to "1". */
async function domainOf(
  client: Client,
  address: Address,
): Promise<{ name: string; version: string }> {
  const read = { address, abi: tokenAbi } as const
  try {
    const [, name, version] = await readContract(client, { ...read, functionName: 'eip712Domain' })
    return { name, version }
  } catch {
    const stated = readContract(client, { ...read, functionName: 'version' }).catch(() => '1')
    const name = await readContract(client, { ...read, functionName: 'name' })
    return { name, version: await stated }
  }
}
