import {
  encodeAbiParameters,
  encodeErrorResult,
  getAddress,
  type Hex,
  hexToNumber,
  numberToHex,
  pad,
  parseAbi,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { announcePools, estimateAnnouncements } from '../src/announce/announcePools.js'
import { findPoolKeys } from '../src/announce/findPoolKeys.js'
import type { AnnouncementPlan } from '../src/announce/planAnnouncements.js'
import { resultText } from '../src/announce/resultText.js'
import { RpcError, RpcUnreachableError } from '../src/errors.js'
import * as PoolKey from '../src/PoolKey.js'
import type { Call, Rpc } from '../src/rpc.js'

const manager = getAddress('0x00000000000000000000000000000000000000f2')
const adapter = getAddress('0x00000000000000000000000000000000000000f3')
const head = 1_000_000
const poolKey = (fee: number): PoolKey.PoolKey => ({
  currency0: pad('0x01', { size: 20 }),
  currency1: pad('0x02', { size: 20 }),
  fee,
  tickSpacing: -60,
  hooks: getAddress('0x0000000000000000000000000000000000000088'),
})
const [first, second] = [poolKey(1), poolKey(2)]
const [firstId, secondId] = [PoolKey.idOf(first), PoolKey.idOf(second)]

/** A node that answers as it is told. */
function rpcOf(answer: (call: Call) => unknown): Rpc {
  return {
    request: async (method, params = []) => answer([method, params]) as never,
    batch: async (calls) => calls.map((call) => answer(call) as never),
  }
}

function logOf(key: PoolKey.PoolKey, id = PoolKey.idOf(key)) {
  const { currency0, currency1, fee, hooks, tickSpacing } = key
  const topics = [PoolKey.initialized, id, pad(currency0), pad(currency1)]
  const data = encodeAbiParameters(
    ['uint24', 'int24', 'address', 'uint160', 'int24'].map((type) => ({ type })),
    [fee, tickSpacing, hooks, 2n ** 96n, 0],
  )
  return { topics, data }
}

/** A node whose logs are in some blocks, and which refuses queries for more than `most` of them. */
function nodeWith(logs: ReadonlyMap<number, object>, most: number, refusal: Error = tooMany) {
  const asked: (readonly [number, number])[] = []
  const rpc = rpcOf(([method, [filter]]) => {
    if (method === 'eth_blockNumber') return numberToHex(head)
    const { address, fromBlock, toBlock } = filter as Record<string, Hex>
    expect(address).toBe(manager)
    const [from, to] = [hexToNumber(fromBlock!), hexToNumber(toBlock!)]
    asked.push([from, to])
    if (to - from + 1 > most) throw refusal
    return [...logs].filter(([block]) => block >= from && block <= to).map(([, log]) => log)
  })
  return { rpc, asked }
}

const tooMany = new RpcError({
  method: 'eth_getLogs',
  code: -32_005,
  message: 'block range is too large, see https://node.example/SECRET',
})

describe('findPoolKeys', () => {
  test('default: one query of a node without limits', async () => {
    const logs = new Map([
      [7, logOf(first)],
      [9, logOf(second)],
    ])
    const { asked, rpc } = nodeWith(logs, Number.POSITIVE_INFINITY)
    const found = await findPoolKeys(rpc, { manager, pools: [firstId, secondId] })
    expect([...found]).toEqual([
      [firstId, first],
      [secondId, second],
    ])
    expect(asked).toEqual([[0, head]])
  })

  test.each([
    ['refuses', tooMany],
    ['does not answer', new RpcUnreachableError('eth_getLogs')],
  ])(
    'behavior: a node that %s wide queries is asked for less, the newest blocks first',
    async (_, refusal) => {
      const logs = new Map([[head - 25_000, logOf(first)]])
      const { asked, rpc } = nodeWith(logs, 10_000, refusal)
      const found = await findPoolKeys(rpc, { manager, pools: [firstId] })
      expect(found.get(firstId)).toEqual(first)
      expect(asked).toEqual([
        [0, head],
        [900_001, head],
        [990_001, head],
        [980_001, 990_000],
        [970_001, 980_000],
      ])
    },
  )

  test('behavior: from a block on, the oldest first', async () => {
    const logs = new Map([[1_500, logOf(first)]])
    const { asked, rpc } = nodeWith(logs, 500)
    await findPoolKeys(rpc, { manager, pools: [firstId], fromBlock: 1_400 })
    expect(asked.at(-1)).toEqual([1_400, 1_899])
  })

  test('behavior: no query without pools', async () => {
    const { asked, rpc } = nodeWith(new Map(), 10)
    expect([...(await findPoolKeys(rpc, { manager, pools: [] })), ...asked]).toEqual([])
  })

  test.each([
    ['an event whose key has another id', logOf(second, firstId)],
    ['a malformed event', { topics: [PoolKey.initialized, firstId], data: '0x' }],
    ['an event of another pool', logOf(second)],
  ])('error: %s is not believed', async (_, log) => {
    const { rpc } = nodeWith(new Map([[7, log]]), head + 1)
    await expect(findPoolKeys(rpc, { manager, pools: [firstId] })).rejects.toMatchObject({
      code: 'NO_LOGS',
      message: `The node's logs of blocks 0 to ${head} do not contain the creation of pool ${firstId}. Pass --from-block with the block in which it was created, or ask a node that gives the logs of more blocks.`,
    })
  })

  test('error: a search through few blocks at a time ends, and says where', async () => {
    const { asked, rpc } = nodeWith(new Map(), 10)
    await expect(findPoolKeys(rpc, { manager, pools: [firstId] })).rejects.toThrow(
      `The node's logs of blocks 995001 to ${head} do not contain`,
    )
    expect(asked.length).toBeLessThan(510)
    await expect(findPoolKeys(rpc, { manager, pools: [firstId], fromBlock: 100 })).rejects.toThrow(
      "The node's logs of blocks 100 to 5099 do not contain",
    )
  })

  test('error: a node without logs; the message contains no URL', async () => {
    const { rpc } = nodeWith(new Map(), 0)
    await expect(findPoolKeys(rpc, { manager, pools: [firstId] })).rejects.toMatchObject({
      code: 'NO_LOGS',
      message: `The node does not give the logs of blocks 999991 to ${head}: eth_getLogs failed: block range is too large, see (URL) (JSON-RPC code -32005). Ask a node that does, or pass --from-block with the block in which the pool was created.`,
    })
  })

  test('error: a block that is yet to come', async () => {
    const { rpc } = nodeWith(new Map(), 10)
    const options = { manager, pools: [firstId], fromBlock: head + 1 }
    await expect(findPoolKeys(rpc, options)).rejects.toMatchObject({
      code: 'NO_BLOCK',
      message: `Block ${head + 1} is after the node's latest, ${head}.`,
    })
  })
})

describe('announcePools', () => {
  const call = { what: `the announcement of pool ${firstId}`, to: adapter, data: '0x12' } as const
  const plan: AnnouncementPlan = {
    chainId: 1,
    chain: 'Ethereum',
    adapter,
    pools: [
      { pool: firstId, call },
      { pool: secondId, knownBy: 'position' },
    ],
  }
  const answers: Record<string, unknown> = {
    eth_accounts: [manager],
    eth_getTransactionCount: '0x0',
    eth_getBlockByNumber: { baseFeePerGas: '0x1' },
    eth_maxPriorityFeePerGas: '0x1',
    eth_estimateGas: '0x249f0',
    eth_sendTransaction: pad('0xab'),
    eth_getTransactionReceipt: { status: '0x1' },
  }
  const nodeBut = (others: Record<string, unknown> = {}) =>
    rpcOf(([method]) => {
      const answer = { ...answers, ...others }[method]
      if (answer instanceof Error) throw answer
      return answer
    })

  test('default: sends what is unknown, in the order of the plan', async () => {
    expect(await announcePools(nodeBut(), plan, {})).toEqual([
      { pool: firstId, transaction: pad('0xab') },
      { pool: secondId, knownBy: 'position' },
    ])
    expect(await estimateAnnouncements(nodeBut(), plan)).toEqual([
      { pool: firstId, gas: 150_000n },
      { pool: secondId, knownBy: 'position' },
    ])
  })

  test('behavior: needs no account if all pools are known', async () => {
    const known = { ...plan, pools: plan.pools.slice(1) }
    expect(await announcePools(nodeBut({ eth_accounts: [] }), known, {})).toEqual(known.pools)
  })

  test('error: the transaction would revert, or has', async () => {
    const abi = parseAbi([
      'error NoHookedPool((address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key)',
    ])
    const data = encodeErrorResult({ abi, errorName: 'NoHookedPool', args: [first] })
    const reverted = new RpcError({ method: 'eth_estimateGas', code: 3, message: 'reverted', data })
    const refusing = nodeBut({ eth_estimateGas: reverted })
    const failure = {
      code: 'TRANSACTION_FAILED',
      message: `Could not finish the announcement of pool ${firstId}: NoHookedPool((${Object.values(first).join(', ')})).`,
    }
    await expect(announcePools(refusing, plan, {})).rejects.toMatchObject(failure)
    await expect(estimateAnnouncements(refusing, plan)).rejects.toMatchObject(failure)
    const mined = nodeBut({ eth_getTransactionReceipt: { status: '0x0' } })
    await expect(announcePools(mined, plan, {})).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      message: `Could not finish the announcement of pool ${firstId}: it reverted when mined.`,
    })
  })
})

describe('resultText', () => {
  const chain = { adapter, chain: 'Ethereum', chainId: 1 }
  test('default: a line for each pool', () => {
    const pools = [
      { pool: firstId, transaction: pad('0xab') },
      { pool: secondId, knownBy: 'position' },
    ] as const
    expect(resultText(chain, pools)).toBe(
      [
        `Pools with hooks on Ethereum (1), adapter ${adapter}`,
        `  ${firstId}  announced in transaction ${pad('0xab')}`,
        `  ${secondId}  known already: a position was held in it`,
        '1 transaction sent.',
      ].join('\n'),
    )
  })
  test('behavior: says that nothing was sent, and why', () => {
    const gas = [{ pool: firstId, gas: 150_000n }]
    expect(resultText(chain, gas)).toMatch(
      /would be announced, for about 150000 gas\nNothing was sent\. To send it, pass --key-file,/,
    )
    const known = [{ pool: firstId, knownBy: 'announcement' }] as const
    expect(resultText(chain, known)).toMatch(
      /known already: it was announced before\nAll pools are known; nothing was sent\.$/,
    )
  })
})
