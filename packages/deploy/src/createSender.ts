import { setTimeout as sleep } from 'node:timers/promises'
import { errorsAbi } from '@sluice/abi'
import {
  type Address,
  decodeErrorResult,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  numberToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { DeployError, RpcError } from './errors.js'
import type { Rpc } from './rpc.js'

export type Sender = {
  readonly address: Address
  /**
   * Sends the calls in order and waits until all of them are mined.
   *
   * @throws DeployError `TRANSACTION_FAILED` with the name of the call and the contract's own error.
   */
  send(calls: readonly OutgoingCall[]): Promise<Hex[]>
}

export type OutgoingCall = {
  /** Name of the call in messages, such as "the creation of the hub". */
  readonly what: string
  readonly to: Address
  readonly data: Hex
}

type Receipt = { status: Hex }

const pollMs = { first: 20, longest: 2_000 }
const miningTimeoutMs = 600_000

/** Signs with `key`. Without a key, an account of the node signs: `from`, or its first account. */
export async function createSender(
  rpc: Rpc,
  options: {
    chainId: number
    key?: Hex | undefined
    from?: Address | undefined
    onProgress?: ((text: string) => void) | undefined
  },
): Promise<Sender> {
  const { chainId, from, key, onProgress } = options
  const signer = key === undefined ? undefined : signerOf(key)
  const address = signer?.address ?? (await accountOf(rpc, from))

  return {
    address,
    async send(calls) {
      const hashes: Hex[] = []
      let nonce = Number(await rpc.request<Hex>('eth_getTransactionCount', [address, 'latest']))
      const fees = await feesOf(rpc)
      for (const [index, call] of calls.entries()) {
        onProgress?.(`Sending ${call.what} (${index + 1} of ${calls.length})`)
        const gas = ((await estimateGas(rpc, call, address)) * 12n) / 10n
        const request = { to: call.to, data: call.data, gas, nonce: nonce++, ...fees }
        hashes.push(
          signer
            ? await rpc.request<Hex>('eth_sendRawTransaction', [
                await signer.signTransaction({ ...request, chainId, type: 'eip1559' }),
              ])
            : await rpc.request<Hex>('eth_sendTransaction', [
                { from: address, ...hexNumbers(request) },
              ]),
        )
      }
      if (hashes.length > 0) onProgress?.('Waiting until all transactions are mined')
      for (const [index, hash] of hashes.entries()) {
        const { status } = await receiptOf(rpc, hash)
        if (status !== '0x1') throw failed(calls[index]!, 'it reverted when mined')
      }
      return hashes
    },
  }
}

function signerOf(key: Hex) {
  try {
    return privateKeyToAccount(key)
  } catch {
    // The cause is dropped because it may quote the key.
    throw new DeployError('NO_ACCOUNT', 'The private key must be 32 bytes in hex, with 0x.')
  }
}

/** Returns an account that the node signs for: an unlocked one, or one of a hardware wallet behind the node. */
async function accountOf(rpc: Rpc, from: Address | undefined): Promise<Address> {
  const accounts = await rpc.request<Address[]>('eth_accounts').catch((error) => {
    // Public nodes do not support this method.
    if (error instanceof RpcError) return []
    throw error
  })
  const account =
    from === undefined ? accounts[0] : accounts.find((each) => isAddressEqual(each, from))
  if (account) return account
  throw new DeployError(
    'NO_ACCOUNT',
    from === undefined
      ? 'The node has no account that can sign. Pass a key with --key-file or DEPLOY_KEY, or use a node with an unlocked account or a hardware wallet.'
      : `The node does not sign for ${from}. Unlock it there, or connect its hardware wallet.`,
  )
}

/**
 * Gas that a call needs now.
 *
 * @param from Account that would send it. @default the node's choice
 * @throws DeployError `TRANSACTION_FAILED` if the call would revert.
 */
export async function estimateGas(rpc: Rpc, call: OutgoingCall, from?: Address): Promise<bigint> {
  try {
    const request = { ...(from && { from }), to: call.to, data: call.data }
    return hexToBigInt(await rpc.request<Hex>('eth_estimateGas', [request]))
  } catch (error) {
    if (error instanceof RpcError) throw failed(call, reasonOf(error))
    throw error
  }
}

/** Fees per gas that are enough even if the base fee doubles before the transaction is mined. */
async function feesOf(rpc: Rpc) {
  const [block, tip] = await Promise.all([
    rpc.request<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]),
    rpc.request<Hex>('eth_maxPriorityFeePerGas').catch((error) => {
      if (error instanceof RpcError) return '0x0' as const
      throw error
    }),
  ])
  const maxPriorityFeePerGas = hexToBigInt(tip)
  const baseFee = hexToBigInt(block.baseFeePerGas ?? '0x0')
  return { maxPriorityFeePerGas, maxFeePerGas: baseFee * 2n + maxPriorityFeePerGas }
}

async function receiptOf(rpc: Rpc, hash: Hex): Promise<Receipt> {
  const deadline = Date.now() + miningTimeoutMs
  for (let wait = pollMs.first; Date.now() < deadline; wait = Math.min(wait * 2, pollMs.longest)) {
    const receipt = await rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
    await sleep(wait)
  }
  throw new DeployError(
    'TRANSACTION_FAILED',
    `Transaction ${hash} was not mined in time. Check it on the chain, then run the command again.`,
  )
}

function failed({ what }: OutgoingCall, reason: string): DeployError {
  return new DeployError('TRANSACTION_FAILED', `Could not finish ${what}: ${reason}.`)
}

function reasonOf({ message, data }: RpcError): string {
  if (!data || data === '0x') return message.replace(/\.$/, '')
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errorsAbi, data: data as Hex })
    return `${errorName}(${args.map(argumentText).join(', ')})`
  } catch {
    return `the contract reverted with ${data.slice(0, 74)}`
  }
}

/** An argument of an error; a struct by its members. */
function argumentText(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? `(${Object.values(value).map(argumentText).join(', ')})`
    : String(value)
}

function hexNumbers(request: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(request).map(([name, value]) => [
      name,
      typeof value === 'bigint' || typeof value === 'number' ? numberToHex(value) : value,
    ]),
  )
}
