import { type Address, type Hex, numberToHex } from 'viem'
import type { Rpc } from '../../rpc.js'
import { askEach } from '../readChain.js'
import type { Block, Header, Transaction } from './Block.js'
import { readBlocks } from './readBlocks.js'
import { readUnseenNative } from './readNative.js'
import {
  type Exchange,
  exchangersIn,
  mayReceiveNative,
  type Reason,
  readSwap,
  sourcesOf,
} from './readSwap.js'
import { touches } from './swapEvents.js'

/** A transaction that swapped, and what the others of its block say of it. */
export type Candidate = {
  readonly header: Header
  readonly transaction: Transaction
  /** A transaction before it changed one of its pools. */
  readonly isMoved: boolean
  /** No other transaction is from its sender, or to it. */
  readonly isAlone: boolean
}

/** A swap of another router. */
export type OtherSwap = Exchange & {
  readonly transaction: Hex
  readonly header: Header
  readonly router: Address
  readonly gasPrice: bigint
  /** A transaction before it in its block changed one of its pools. */
  readonly isMoved: boolean
}

/** What the search for swaps is told. */
export type FindOptions = {
  readonly from: number
  readonly to: number
  /** Only transactions to these. Default: all that swapped on a venue whose events are known. */
  readonly routers: readonly Address[] | undefined
  readonly onProgress: (text: string) => void
}

/** Code of an account that a key holds and that runs code of another contract (EIP-7702). */
const delegation = '0xef0100'
const progressBlocks = 100

/** Finds the transactions of a range that may be swaps of other routers. */
export async function findCandidates(
  rpc: Rpc,
  { from, onProgress, routers, to }: FindOptions,
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = []
  let blocksRead = 0
  for await (const block of readBlocks(rpc, { from, to })) {
    for (const transaction of block.transactions)
      if (isCandidate(transaction, routers)) candidates.push(candidateOf(block, transaction))
    blocksRead++
    if (blocksRead % progressBlocks === 0)
      onProgress(`${blocksRead} of ${to - from + 1} blocks read: ${candidates.length} swaps`)
  }
  return candidates
}

function isCandidate(transaction: Transaction, routers: readonly Address[] | undefined): boolean {
  const { logs, to } = transaction
  if (to === undefined || logs.length === 0) return false
  return routers === undefined ? sourcesOf(transaction).length > 0 : routers.includes(to)
}

/** Keeps little of the block: a range may have more logs than fit into memory. */
function candidateOf(
  { number, parentHash, timestamp, transactions }: Block,
  transaction: Transaction,
): Candidate {
  const { from, hash } = transaction
  const sources = sourcesOf(transaction)
  const earlier = transactions.slice(
    0,
    transactions.findIndex((each) => each.hash === hash),
  )
  return {
    header: { number, parentHash, timestamp },
    transaction,
    isMoved: earlier.some(({ logs }) =>
      logs.some((log) => sources.some((source) => touches(log, source))),
    ),
    isAlone: !transactions.some(
      (other) => other.hash !== hash && (other.from === from || other.to === from),
    ),
  }
}

/** Reads the swap of a candidate, with what its logs do not tell. */
export async function readCandidate(
  rpc: Rpc,
  { header, isAlone, isMoved, transaction }: Candidate,
  wrappedNative: Address,
): Promise<OtherSwap | Reason> {
  const { from, gasPrice, hash, to } = transaction
  const wallets = await readWallets(rpc, header.number, exchangersIn(transaction, wrappedNative))
  const isWallet = (account: Address) => account === from || wallets.has(account)
  const unseenNative = await unseenOf(rpc, { header, isAlone, transaction }, wrappedNative)
  const exchange = readSwap(transaction, { wrappedNative, isWallet, unseenNative })
  if (typeof exchange === 'string') return exchange
  return { ...exchange, transaction: hash, header, router: to!, gasPrice, isMoved }
}

/** Native coin that the sender received and no log tells of; `undefined` if its balance does not tell either. */
async function unseenOf(
  rpc: Rpc,
  { header, isAlone, transaction }: Omit<Candidate, 'isMoved'>,
  wrappedNative: Address,
): Promise<bigint | undefined> {
  if (!mayReceiveNative(transaction, wrappedNative)) return 0n
  return isAlone ? await readUnseenNative(rpc, header.number, transaction) : undefined
}

/** Accounts that a key holds. One whose code the node does not tell is taken for a contract. */
async function readWallets(
  rpc: Rpc,
  block: number,
  accounts: readonly Address[],
): Promise<ReadonlySet<Address>> {
  const all = [...new Set(accounts)]
  const codes = await askEach<Hex>(
    rpc,
    all.map((account) => ['eth_getCode', [account, numberToHex(block)]]),
  )
  return new Set(
    all.filter((_, index) => codes[index] === '0x' || codes[index]?.startsWith(delegation)),
  )
}

/** Orders things so that any number of the first are spread over all: by multiples of the golden ratio. */
export function spread<thing>(things: readonly thing[]): readonly thing[] {
  const ratio = (Math.sqrt(5) - 1) / 2
  const keyed = things.map((thing, index) => ({ thing, key: (index * ratio) % 1 }))
  return keyed.sort((a, b) => a.key - b.key).map(({ thing }) => thing)
}
