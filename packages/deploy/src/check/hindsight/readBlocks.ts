import { type Address, getAddress, type Hex, hexToBigInt, hexToNumber, numberToHex } from 'viem'
import { DeployError, RpcError } from '../../errors.js'
import type { Call, Rpc } from '../../rpc.js'
import type { Block, ChainLog, Header } from './Block.js'

type RawBlock = {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly logsBloom: Hex
  readonly transactions: readonly RawTransaction[]
}

type RawTransaction = {
  readonly hash: Hex
  readonly from: Address
  readonly to: Address | null
  readonly value: Hex
  readonly gasPrice?: Hex
}

type RawLog = Omit<ChainLog, 'address'> & {
  readonly address: Address
  readonly transactionHash: Hex
}

/** Blocks of one request: the logs of a full block are about a megabyte. */
const blocksPerRequest = 4

/**
 * Reads blocks with all their transactions and logs, in order. The logs are asked for by the hash of the block, so that no range
 * is too long for the node, and so that both are of the same block.
 *
 * @throws DeployError `NO_BLOCK` or `NO_LOGS` if the node does not have one: what it does not tell is not taken for nothing.
 */
export async function* readBlocks(
  rpc: Rpc,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Block> {
  for (let start = from; start <= to; start += blocksPerRequest) {
    const count = Math.min(blocksPerRequest, to - start + 1)
    const numbers = Array.from({ length: count }, (_, index) => start + index)
    const raw = await rpc.batch<RawBlock | null>(
      numbers.map((number) => ['eth_getBlockByNumber', [numberToHex(number), true]]),
    )
    const missing = raw.indexOf(null)
    if (missing >= 0) throw noBlock(numbers[missing]!)
    const blocks = raw as readonly RawBlock[]
    const logs = await logsOf(rpc, blocks)
    for (const [index, block] of blocks.entries()) yield blockOf(block, logs[index]!)
  }
}

/** Reads the header of one block. */
export async function readHeader(rpc: Rpc, number: number): Promise<Header> {
  const block = await rpc.request<RawBlock | null>('eth_getBlockByNumber', [
    numberToHex(number),
    false,
  ])
  if (block === null) throw noBlock(number)
  return headerOf(block)
}

async function logsOf(rpc: Rpc, blocks: readonly RawBlock[]): Promise<readonly RawLog[][]> {
  const calls = blocks.map(({ hash }): Call => ['eth_getLogs', [{ blockHash: hash }]])
  const answers = await rpc.batch<RawLog[]>(calls).catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error
    const numbers = blocks.map(({ number }) => hexToNumber(number))
    throw noLogs(`${numbers[0]} to ${numbers.at(-1)}`, error)
  })
  for (const [index, { logsBloom, number }] of blocks.entries()) {
    const isSilent = answers[index]!.length === 0 && !/^0x0*$/.test(logsBloom)
    if (isSilent) throw noLogs(String(hexToNumber(number)))
  }
  return answers
}

function blockOf(block: RawBlock, logs: readonly RawLog[]): Block {
  const byTransaction = new Map<Hex, RawLog[]>()
  for (const log of logs) {
    const own = byTransaction.get(log.transactionHash) ?? []
    own.push(log)
    byTransaction.set(log.transactionHash, own)
  }
  return {
    ...headerOf(block),
    hash: block.hash,
    transactions: block.transactions.map(({ from, gasPrice = '0x0', hash, to, value }) => ({
      hash,
      from: getAddress(from),
      to: to === null ? undefined : getAddress(to),
      value: hexToBigInt(value),
      gasPrice: hexToBigInt(gasPrice),
      logs: (byTransaction.get(hash) ?? []).map(({ address, data, topics }) => ({
        address: getAddress(address),
        topics,
        data,
      })),
    })),
  }
}

function headerOf({ number, parentHash, timestamp }: RawBlock): Header {
  return {
    number: hexToNumber(number),
    parentHash,
    timestamp: hexToNumber(timestamp),
  }
}

function noBlock(number: number): DeployError {
  return new DeployError(
    'NO_BLOCK',
    `The node does not have block ${number}. Wait until it is in sync, or ask a node that keeps old blocks.`,
  )
}

function noLogs(blocks: string, cause?: RpcError): DeployError {
  return new DeployError(
    'NO_LOGS',
    `The node does not tell the logs of block ${blocks}${cause ? `: ${cause.message}` : ' but its header says that there are some.'} Ask a node that keeps the logs of these blocks.`,
    { cause },
  )
}
