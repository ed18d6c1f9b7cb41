import { routerV2Abi } from '@sluice/abi'
import {
  type Account,
  type Client,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  encodeFunctionData,
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
 * Signs the token's own approval (EIP-2612) of exactly the quote's input, and gives the swap that carries it. The signer
 * sends it: the approval is of no use to others.
 *
 * @throws IntegrityError before anything is signed; InvalidParameterError if the token takes no approval by signature;
 * RpcUnreachableError if the node does not answer; an error of viem's if the wallet does not sign.
 */
export async function signPermit(
  client: Client,
  parameters: VerifyOptions & {
    /** Who sells, signs and sends. @default the client's */
    account?: Account | Address | undefined
  },
): Promise<SwapTransaction> {
  const account = signerOf(client, parameters.account)
  const { amountIn, deadline, minOut, recipient, route, to, tokenIn } = readSwap(parameters)
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
  const data = encodeFunctionData({
    abi: routerV2Abi,
    functionName: 'swapExactInWithPermit',
    args: [route, { amountIn, minOut, recipient, deadline }, permit],
  })
  return { to, data, value: 0n }
}

/** Tells a token without the functions of EIP-2612 from a node that does not answer. */
function explain(cause: unknown): never {
  // Some makes of nodes tell of a revert in a form that only its data shows.
  const isOfToken =
    revertOf(cause) !== undefined ||
    (cause instanceof ViemError &&
      cause.walk(
        (each) =>
          each instanceof ContractFunctionRevertedError ||
          each instanceof ContractFunctionZeroDataError ||
          // What a node answered stands among the causes as it came.
          String((each as Partial<Error>).name).startsWith('Abi'),
      ) !== null)
  if (isOfToken)
    throw refused('in', 'takes no approval by signature (EIP-2612): approve it, or use signPermit2')
  throw new RpcUnreachableError('Your node gave no answer.', {
    code: 'rpc_unreachable',
    cause,
    retryable: true,
  })
}

/** What the token signs under: its EIP-5267 answer, or its name and the version that it states, "1" if it states none. */
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
