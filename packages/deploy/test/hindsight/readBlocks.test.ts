import { type Address, getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { readBlocks } from '../../src/check/hindsight/readBlocks.js'
import { readUnseenNative } from '../../src/check/hindsight/readNative.js'
import { RpcError } from '../../src/errors.js'
import type { Call, Rpc } from '../../src/rpc.js'

const hash = (place: number): Hex => `0x${place.toString(16).padStart(64, '0')}`
const sender: Address = '0x00000000000000000000000000000000000000a1'
const token: Address = '0x0000000000000000000000000000000000000011'
const emptyBloom = `0x${'00'.repeat(256)}`

/** A node that answers each call by its method. */
function nodeOf(answers: Record<string, (params: readonly unknown[]) => unknown>): Rpc {
  const answer = ([method, params]: Call) => answers[method]!(params)
  return {
    request: async (method: string, params: readonly unknown[] = []) =>
      answer([method, params]) as never,
    batch: async (calls: readonly Call[]) => calls.map(answer) as never,
  }
}

const blockOf = (number: number, logsBloom = emptyBloom) => ({
  ...{ number: `0x${number.toString(16)}`, hash: hash(number), parentHash: hash(number - 1) },
  ...{ timestamp: '0x64', logsBloom },
  transactions: [
    { hash: hash(number + 100), from: sender, to: token, value: '0x5', gasPrice: '0x7' },
    { hash: hash(number + 200), from: sender, to: null, value: '0x0' },
  ],
})

async function read(rpc: Rpc, to: number) {
  const blocks = []
  for await (const block of readBlocks(rpc, { from: 1, to })) blocks.push(block)
  return blocks
}

const log = (transactionHash: Hex) => ({
  ...{ address: token, topics: [hash(1)], data: '0x', transactionHash },
})

test('default: each transaction has its own logs', async () => {
  const rpc = nodeOf({
    eth_getBlockByNumber: ([number]) => blockOf(Number(number), '0x01'),
    eth_getLogs: ([filter]) => {
      const { blockHash } = filter as { blockHash: Hex }
      return [log(hash(Number(blockHash) + 100))]
    },
  })
  const blocks = await read(rpc, 6)
  expect(blocks.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
  const [first, second] = blocks[5]!.transactions
  expect(first).toEqual({
    ...{ hash: hash(106), from: getAddress(sender), to: getAddress(token) },
    ...{ value: 5n, gasPrice: 7n },
    logs: [{ address: getAddress(token), topics: [hash(1)], data: '0x' }],
  })
  expect(second).toMatchObject({ to: undefined, gasPrice: 0n, logs: [] })
})

test('error: a node without the logs of a block is not taken for a block without logs', async () => {
  const silent = nodeOf({
    eth_getBlockByNumber: ([number]) => blockOf(Number(number), '0x01'),
    eth_getLogs: () => [],
  })
  await expect(read(silent, 1)).rejects.toThrow(
    'The node does not tell the logs of block 1 but its header says that there are some. Ask a node that keeps the logs of these blocks.',
  )
  const refusing = nodeOf({
    eth_getBlockByNumber: ([number]) => blockOf(Number(number)),
    eth_getLogs: () => {
      throw new RpcError({ method: 'eth_getLogs', code: 4444, message: 'pruned history' })
    },
  })
  await expect(read(refusing, 3)).rejects.toThrow(
    'The node does not tell the logs of block 1 to 3: eth_getLogs failed: pruned history (JSON-RPC code 4444). Ask a node that keeps the logs of these blocks.',
  )
})

test('error: a block is missing', async () => {
  const rpc = nodeOf({
    eth_getBlockByNumber: ([number]) => (Number(number) === 2 ? null : blockOf(Number(number))),
    eth_getLogs: () => [],
  })
  await expect(read(rpc, 3)).rejects.toMatchObject({ code: 'NO_BLOCK' })
})

const transaction = {
  ...{ hash: hash(9), from: sender, to: token, value: 100n, gasPrice: 2n, logs: [] },
} as const

test.each([
  ['a plain receipt', { gasUsed: '0xa', effectiveGasPrice: '0x2' }, 30n],
  ['a fee for data', { gasUsed: '0xa', effectiveGasPrice: '0x2', l1Fee: '0x5' }, 35n],
  [
    'a rate that is not known',
    { gasUsed: '0xa', effectiveGasPrice: '0x2', operatorFeeScalar: '0x1' },
    undefined,
  ],
  ['rates of zero', { gasUsed: '0xa', effectiveGasPrice: '0x2', operatorFeeConstant: '0x0' }, 30n],
  ['no price', { gasUsed: '0xa' }, undefined],
  ['no receipt', null, undefined],
  ['no gas used', { gasUsed: '0x0', effectiveGasPrice: '0x2' }, 10n],
])('default: native coin that came, with %s', async (_, receipt, expected) => {
  // It sent 100 and paid for gas; its balance fell by 90.
  const rpc = nodeOf({
    eth_getBalance: ([, block]) => (block === '0x8' ? '0x3e8' : '0x38e'),
    eth_getTransactionReceipt: () => receipt,
  })
  expect(await readUnseenNative(rpc, 9, transaction)).toBe(expected)
})

test('error: a balance that the node does not tell is not zero', async () => {
  const rpc = nodeOf({
    eth_getBalance: () => {
      throw new RpcError({ method: 'eth_getBalance', code: -32000, message: 'missing trie node' })
    },
    eth_getTransactionReceipt: () => ({ gasUsed: '0xa', effectiveGasPrice: '0x2' }),
  })
  expect(await readUnseenNative(rpc, 9, transaction)).toBeUndefined()
})
