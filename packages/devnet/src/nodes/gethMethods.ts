import { setTimeout as sleep } from 'node:timers/promises'
import { createRpc, type Rpc } from '@sluice/deploy'
import { type Address, type Hex, keccak256, numberToHex, zeroAddress, zeroHash } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { trader } from '../account.js'
import { DevnetError } from '../errors.js'
import { developmentAccounts } from './developmentAccounts.js'
import type { NodeAnswer } from './serveNode.js'

/** Gas limit of a block. Geth changes it by at most 1/1024 a block, so it is the same during setup. */
export const blockGasLimit = 100_000_000n

const indexMs = 20_000
const pollMs = 10

/** A running geth, and what other development nodes would keep for its clients. */
export type Geth = {
  readonly url: string
  readonly rpc: Rpc
  readonly chainId: number
  readonly signers: ReadonlyMap<string, PrivateKeyAccount>
  /** Signed transactions that wait for `evm_mine`. */
  readonly held: Held[]
  /** Whether each transaction gets a block at once. */
  isAutomatic: boolean
  /** Ends when the last block is mined: blocks are mined one after the other. */
  mined: Promise<unknown>
}

type Held = { readonly raw: Hex; readonly gas: bigint }

type Request = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown }
type Method = (geth: Geth, params: readonly unknown[]) => Promise<unknown>

/**
 * Methods of other development nodes, and how geth does the same. The others do not exist: geth sets code, storage,
 * nonces and balances in its first block only, and signs for no account whose key it does not have.
 */
const methods: Readonly<Record<string, Method>> = {
  eth_accounts: async ({ signers }) => [...signers.values()].map(({ address }) => address),
  eth_sendTransaction: (geth, [transaction]) => send(geth, transaction as Fields),
  // Each block has another second than the one before.
  evm_increaseTime: async () => 0,
  eth_sendRawTransaction: async (geth, [raw]) => {
    const hash = await geth.rpc.request('eth_sendRawTransaction', [raw])
    // One that must wait for another, by its nonce, stays in geth's pool.
    if (geth.isAutomatic) await mine(geth, [raw as Hex]).catch(() => {})
    return hash
  },
  evm_mine: async (geth) => {
    if (geth.held.length > 0) await release(geth)
    else await mine(geth)
    return '0x0'
  },
  hardhat_mine: async (geth, [count = '0x1']) => {
    for (let block = 0n; block < BigInt(count as Hex); block++) await mine(geth)
    return true
  },
  evm_setAutomine: async (geth, [isAutomatic]) => {
    geth.isAutomatic = isAutomatic === true
    if (geth.isAutomatic) await release(geth)
    return true
  },
  // The limit of the first block holds.
  evm_setBlockGasLimit: async () => true,
  hardhat_impersonateAccount: async (geth, [address]) => signerOf(geth, address as Address) && true,
  hardhat_stopImpersonatingAccount: async () => true,
  evm_snapshot: ({ rpc }) => rpc.request('eth_blockNumber'),
  evm_revert: async ({ rpc }, [block]) => {
    await rpc.request('debug_setHead', [block])
    return true
  },
}

/** Prepares geth's answers. It signs for the development accounts and the trader. */
export function createGeth(url: string, { chainId }: { chainId: number }): Geth {
  const keys = [...developmentAccounts, trader].map(({ privateKey }) => privateKey)
  const signers = keys.map((key) => privateKeyToAccount(key))
  return {
    url,
    rpc: createRpc(url),
    chainId,
    signers: new Map(signers.map((signer) => [signer.address.toLowerCase(), signer])),
    held: [],
    isAutomatic: false,
    mined: Promise.resolve(),
  }
}

/** Answers a request: geth's own answer unchanged, unless the request has one of the methods above. */
export async function answerAsGeth(geth: Geth, body: string): Promise<NodeAnswer> {
  const content = parse(body)
  const requests = Array.isArray(content) ? content : [content]
  if (!requests.some((request) => methodOf(request) !== undefined)) return await forward(geth, body)
  const replies: unknown[] = []
  for (const request of requests as Request[]) {
    const method = methodOf(request)
    replies.push(
      method === undefined
        ? JSON.parse((await forward(geth, JSON.stringify(request))).body)
        : await replyOf(geth, method, request),
    )
  }
  return { status: 200, body: JSON.stringify(Array.isArray(content) ? replies : replies[0]) }
}

/** Blocks may lag behind the clock, so that a burst of them does not run ahead of it: each has a later second. */
const lagSeconds = 60

/** Mines a block with the given transactions, in order, or with those of geth's pool. */
export function mine(geth: Geth, transactions: readonly Hex[] | null = null): Promise<unknown> {
  const mined = geth.mined.then(async () => {
    const parent = await geth.rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    const now = Math.floor(Date.now() / 1_000)
    const timestamp = Math.max(Number(parent.timestamp) + 1, now - lagSeconds)
    const attributes = {
      timestamp: numberToHex(timestamp),
      prevRandao: zeroHash,
      suggestedFeeRecipient: zeroAddress,
      withdrawals: [],
      parentBeaconBlockRoot: zeroHash,
    }
    await geth.rpc.request('testing_commitBlockV1', [attributes, transactions, null])
  })
  geth.mined = mined.catch(() => {})
  return mined
}

/** Mines a first block, after which geth starts to index transactions. Until that is done, it has no receipts. */
export async function openReceipts(geth: Geth): Promise<void> {
  await mine(geth)
  const endsAt = performance.now() + indexMs
  const isIndexed = () =>
    geth.rpc.request('eth_getTransactionReceipt', [zeroHash]).then(
      () => true,
      () => false,
    )
  while (!(await isIndexed())) {
    if (performance.now() > endsAt)
      throw new DevnetError('GETH_FAILED', 'Geth did not index in time.')
    await sleep(pollMs)
  }
}

async function forward({ url }: Geth, body: string): Promise<NodeAnswer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: await response.text() }
}

async function replyOf(geth: Geth, method: Method, { id = null, params }: Request) {
  try {
    const result = await method(geth, Array.isArray(params) ? params : [])
    return { jsonrpc: '2.0', id, result }
  } catch (error) {
    const { code = -32_000, message } = error as { code?: number; message: string }
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

type Fields = {
  readonly from: Address
  readonly to?: Address
  readonly data?: Hex
  readonly input?: Hex
  readonly value?: Hex
  readonly gas?: Hex
  readonly nonce?: Hex
}

/** Above the base fee of full blocks during setup. */
const maxFeePerGas = 10n ** 12n
const maxPriorityFeePerGas = 10n ** 9n

/** Signs a transaction. Sends it, or holds it until `evm_mine`. Returns its hash. */
async function send(
  geth: Geth,
  { data, from, gas, input, nonce, to, value }: Fields,
): Promise<Hex> {
  const signer = signerOf(geth, from)
  const { rpc } = geth
  const own = { from, to, data: data ?? input, value }
  const limit = BigInt(gas ?? (await rpc.request<Hex>('eth_estimateGas', [own])))
  const raw = await signer.signTransaction({
    type: 'eip1559',
    chainId: geth.chainId,
    to,
    data: own.data,
    value: BigInt(value ?? 0),
    gas: limit,
    nonce: Number(nonce ?? (await rpc.request<Hex>('eth_getTransactionCount', [from, 'pending']))),
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  geth.held.push({ raw, gas: limit })
  if (geth.isAutomatic) await release(geth)
  return keccak256(raw)
}

/** Mines the held transactions in order, in blocks that have gas for all that they may use. */
async function release(geth: Geth): Promise<void> {
  const held = geth.held.splice(0)
  while (held.length > 0) {
    let gas = 0n
    const end = held.findIndex((each) => {
      gas += each.gas
      return gas > blockGasLimit
    })
    const block = held.splice(0, end === -1 ? held.length : Math.max(end, 1))
    await mine(
      geth,
      block.map(({ raw }) => raw),
    )
  }
}

function signerOf({ signers }: Geth, address: Address): PrivateKeyAccount {
  const signer = signers.get(address.toLowerCase())
  if (signer) return signer
  throw new Error(`unknown account: geth has no key of ${address}`)
}

function methodOf(request: unknown): Method | undefined {
  const { method } = (request ?? {}) as Request
  return typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
