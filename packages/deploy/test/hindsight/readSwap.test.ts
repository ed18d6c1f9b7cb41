import fc from 'fast-check'
import {
  type Address,
  encodeAbiParameters,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  toEventSelector,
  toHex,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { ChainLog } from '../../src/check/hindsight/Block.js'
import { type Known, readSwap } from '../../src/check/hindsight/readSwap.js'

const named = (place: number) => getAddress(pad(numberToHex(place), { size: 20 }))
const [trader, other, router, pool, second, collector, bot, maker] = [
  0xa1, 0xa2, 0xb1, 0xc1, 0xc2, 0xd1, 0xe1, 0xf1,
].map(named) as [Address, Address, Address, Address, Address, Address, Address, Address]
const [weth, usdc, dai] = [0x11, 0x12, 0x13].map(named) as [Address, Address, Address]
const wallets = [trader, other, maker]

const word = (amount: bigint): Hex => numberToHex(amount, { size: 32 })

function transfer(token: Address, from: Address, to: Address, amount: bigint): ChainLog {
  const event = toEventSelector('Transfer(address,address,uint256)')
  return { address: token, topics: [event, pad(from), pad(to)], data: word(amount) }
}

/** A swap of Uniswap V2: its amounts do not matter, the transfers tell them. */
function swapOn(address: Address): ChainLog {
  const event = toEventSelector('Swap(address,uint256,uint256,uint256,uint256,address)')
  return { address, topics: [event, pad(router), pad(router)], data: '0x' }
}

function deposit(to: Address, amount: bigint): ChainLog {
  const event = toEventSelector('Deposit(address,uint256)')
  return { address: weth, topics: [event, pad(to)], data: word(amount) }
}

function withdrawal(from: Address, amount: bigint): ChainLog {
  const event = toEventSelector('Withdrawal(address,uint256)')
  return { address: weth, topics: [event, pad(from)], data: word(amount) }
}

function read(
  logs: readonly ChainLog[],
  {
    from = trader,
    to = router,
    value = 0n,
    ...known
  }: Partial<Known> & { from?: Address; to?: Address; value?: bigint } = {},
) {
  return readSwap(
    { from, to, value, logs },
    {
      wrappedNative: weth,
      isWallet: (account) => wallets.includes(account),
      unseenNative: 0n,
      ...known,
    },
  )
}

const plain = [transfer(usdc, trader, pool, 100n), transfer(weth, pool, trader, 7n), swapOn(pool)]

describe('a swap of one trader', () => {
  test('default: one pool', () => {
    expect(read(plain)).toEqual({
      ...{ trader, tokenIn: usdc, amountIn: 100n, tokenOut: weth, amountOut: 7n, keptOut: 0n },
      sources: [{ pool, emitter: pool, isShared: false }],
      between: [],
    })
  })

  test('behavior: several hops, over a router that holds what is between', () => {
    const swap = read([
      transfer(usdc, trader, pool, 100n),
      transfer(dai, pool, router, 99n),
      swapOn(pool),
      transfer(dai, router, second, 99n),
      transfer(weth, second, trader, 7n),
      swapOn(second),
    ])
    expect(swap).toMatchObject({
      ...{ tokenIn: usdc, amountIn: 100n, tokenOut: weth, amountOut: 7n, between: [dai] },
      sources: [{ pool }, { pool: second }],
    })
  })

  test('behavior: the fee of the router is not what the trader received', () => {
    const swap = read([
      transfer(usdc, trader, pool, 100n),
      transfer(weth, pool, router, 70n),
      swapOn(pool),
      transfer(weth, router, collector, 2n),
      transfer(weth, router, trader, 68n),
    ])
    expect(swap).toMatchObject({ amountOut: 68n, keptOut: 2n })
  })

  test('behavior: native coin in, wrapped by the router', () => {
    const swap = read(
      [
        deposit(router, 5n),
        transfer(weth, router, pool, 5n),
        transfer(usdc, pool, trader, 90n),
        swapOn(pool),
      ],
      { value: 5n },
    )
    expect(swap).toMatchObject({ tokenIn: weth, amountIn: 5n, tokenOut: usdc, amountOut: 90n })
  })

  test('behavior: native coin in, where wrapping is a transfer from the zero address', () => {
    const swap = read(
      [
        transfer(weth, zeroAddress, router, 5n),
        transfer(weth, router, pool, 5n),
        transfer(usdc, pool, trader, 90n),
        swapOn(pool),
      ],
      { value: 5n },
    )
    expect(swap).toMatchObject({ tokenIn: weth, amountIn: 5n, tokenOut: usdc, amountOut: 90n })
  })

  test('behavior: native coin that comes back is not paid', () => {
    const swap = read(
      [
        deposit(router, 5n),
        transfer(weth, router, pool, 5n),
        transfer(usdc, pool, trader, 90n),
        swapOn(pool),
      ],
      { value: 8n, unseenNative: 3n },
    )
    expect(swap).toMatchObject({ tokenIn: weth, amountIn: 5n })
  })

  test('behavior: tokens that come back are not paid', () => {
    const swap = read([
      transfer(usdc, trader, router, 100n),
      transfer(usdc, router, pool, 80n),
      transfer(weth, pool, trader, 7n),
      swapOn(pool),
      transfer(usdc, router, trader, 20n),
    ])
    expect(swap).toMatchObject({ tokenIn: usdc, amountIn: 80n })
  })

  test('behavior: native coin out, unwrapped by the router', () => {
    const logs = [
      transfer(usdc, trader, pool, 100n),
      transfer(weth, pool, router, 7n),
      swapOn(pool),
      withdrawal(router, 7n),
    ]
    expect(read(logs, { unseenNative: 7n })).toMatchObject({
      ...{ tokenOut: weth, amountOut: 7n, keptOut: 0n },
    })
    expect(read(logs, { unseenNative: 6n })).toMatchObject({ amountOut: 6n, keptOut: 1n })
  })

  test('behavior: a token that taxes transfers: what arrives counts', () => {
    const swap = read([
      transfer(usdc, trader, pool, 100n),
      transfer(dai, pool, collector, 3n),
      transfer(dai, pool, trader, 97n),
      swapOn(pool),
    ])
    expect(swap).toMatchObject({ tokenOut: dai, amountOut: 97n, keptOut: 3n })
  })

  test('behavior: a wallet that makes the market is a source', () => {
    const swap = read([transfer(usdc, trader, maker, 100n), transfer(dai, maker, trader, 99n)])
    expect(swap).toMatchObject({
      ...{ trader, tokenIn: usdc, amountOut: 99n },
      sources: [{ pool: maker, emitter: maker, isShared: false }],
    })
  })

  test('behavior: the only order of a settlement that another account sent', () => {
    expect(read(plain, { from: bot })).toMatchObject({ trader, amountOut: 7n })
  })

  test('behavior: transfers of NFTs change nothing', () => {
    const [event, giver, taker] = transfer(dai, other, trader, 1n).topics
    const nft: ChainLog = { address: dai, topics: [event!, giver!, taker!, word(1n)], data: '0x' }
    expect(read([...plain, nft])).toEqual(read(plain))
  })

  test('behavior: each pool of a shared contract has its own name', () => {
    const id = `0x${'ab'.repeat(32)}` as const
    const event = (signature: string, ...topics: Hex[]): ChainLog => ({
      ...{ address: second, topics: [toEventSelector(signature), ...topics], data: '0x' },
    })
    const swap = read([
      transfer(usdc, trader, second, 100n),
      transfer(dai, second, trader, 99n),
      event('Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)', id, pad(router)),
      event('Swap(bytes32,address,address,uint256,uint256)', id, pad(usdc), pad(dai)),
      event(
        'Swap(address,address,address,uint256,uint256,uint256,uint256)',
        pad(pool),
        pad(usdc),
        pad(dai),
      ),
    ])
    expect(swap).toMatchObject({
      sources: [
        { pool: id, emitter: second, isShared: true },
        { pool: getAddress(id.slice(0, 42) as Hex), emitter: second, isShared: true },
        { pool, emitter: second, isShared: true },
      ],
    })
  })
})

describe('no swap of one trader', () => {
  test('error: two traders settle with each other', () => {
    const logs = [
      transfer(usdc, trader, router, 100n),
      transfer(dai, other, router, 50n),
      transfer(weth, router, trader, 7n),
      transfer(weth, router, other, 3n),
    ]
    expect(read(logs, { from: bot })).toBe('several_traders')
  })

  test('error: a contract takes a profit, and nobody pays', () => {
    const logs = [
      transfer(weth, pool, bot, 7n),
      swapOn(pool),
      transfer(usdc, second, pool, 100n),
      swapOn(second),
      transfer(weth, bot, second, 5n),
    ]
    expect(read(logs, { from: other, to: bot })).toBe('arbitrage')
  })

  test('error: a contract trades for itself', () => {
    const logs = [transfer(usdc, bot, pool, 100n), transfer(weth, pool, bot, 7n), swapOn(pool)]
    expect(read(logs, { from: other, to: bot })).toBe('no_trader')
  })

  test('error: another wallet receives the output', () => {
    const logs = [transfer(usdc, trader, pool, 100n), transfer(weth, pool, other, 7n), swapOn(pool)]
    expect(read(logs)).toBe('no_trader')
  })

  test('error: two tokens are paid', () => {
    expect(read([...plain, transfer(dai, trader, pool, 1n)])).toBe('several_tokens')
  })

  test('error: what native coin came is not known', () => {
    const logs = [
      transfer(usdc, trader, pool, 100n),
      transfer(weth, pool, router, 7n),
      swapOn(pool),
    ]
    expect(read([...logs, withdrawal(router, 7n)], { unseenNative: undefined })).toBe(
      'native_unclear',
    )
    const paid = [
      deposit(router, 5n),
      transfer(weth, router, pool, 5n),
      transfer(usdc, pool, trader, 90n),
    ]
    expect(read([...paid, swapOn(pool)], { value: 5n, unseenNative: undefined })).toBe(
      'native_unclear',
    )
  })

  test('error: a Router of Sluice announced the swap', () => {
    const event = toEventSelector('Swap(address,address,address,uint256,uint256,uint256)')
    const data = encodeAbiParameters([{ type: 'uint256[3]' }], [[100n, 7n, 1n]])
    const own = { address: router, topics: [event, pad(trader), pad(usdc), pad(weth)], data }
    expect(read([...plain, own])).toBe('own')
  })
})

describe('properties', () => {
  const amount = fc.bigInt(1n, 10n ** 30n)
  const path = fc.record({
    sold: amount,
    between: fc.array(fc.record({ token: fc.constantFrom(dai, second), held: amount }), {
      maxLength: 3,
    }),
    bought: amount,
  })
  const order = fc.record({
    paths: fc.array(path, { minLength: 1, maxLength: 4 }),
    refund: fc.bigInt(0n, 10n ** 30n),
    fee: fc.bigInt(0n, 10n ** 30n),
    isNativeIn: fc.boolean(),
    isNativeOut: fc.boolean(),
    isDirect: fc.boolean(),
  })

  test('property: amounts are those of the trader, however the swap went', () => {
    fc.assert(
      fc.property(order, ({ fee: most, isDirect, isNativeIn, isNativeOut, paths, refund }) => {
        const [tokenIn, tokenOut] = isNativeIn ? [weth, usdc] : [usdc, weth]
        const isUnwrapped = isNativeOut && !isNativeIn
        const sold = paths.reduce((sum, each) => sum + each.sold, 0n)
        const bought = paths.reduce((sum, each) => sum + each.bought, 0n)
        const fee = most % bought
        const logs: ChainLog[] = isNativeIn
          ? [deposit(router, sold)]
          : [transfer(tokenIn, trader, router, sold + refund)]
        for (const [index, each] of paths.entries()) {
          let [held, token] = [each.sold, tokenIn]
          let holder = router
          for (const [hop, next] of [
            ...each.between,
            { token: tokenOut, held: each.bought },
          ].entries()) {
            const own = named(0x1000 + 16 * index + hop)
            logs.push(transfer(token, holder, own, held), swapOn(own))
            // A pool pays the next one directly, or over the router..
            const isLast = next.token === tokenOut
            const taker = isDirect && !isLast ? own : router
            if (taker === router) logs.push(transfer(next.token, own, router, next.held))
            ;[held, token, holder] = [next.held, next.token, taker]
          }
        }
        if (fee > 0n) logs.push(transfer(tokenOut, router, collector, fee))
        if (isUnwrapped) logs.push(withdrawal(router, bought - fee))
        else logs.push(transfer(tokenOut, router, trader, bought - fee))
        if (!isNativeIn && refund > 0n) logs.push(transfer(tokenIn, router, trader, refund))
        const swap = read(logs, {
          value: isNativeIn ? sold + refund : 0n,
          unseenNative: isNativeIn ? refund : isUnwrapped ? bought - fee : 0n,
        })
        expect(swap).toMatchObject({
          ...{ trader, tokenIn, amountIn: sold, tokenOut, amountOut: bought - fee, keptOut: fee },
        })
      }),
    )
  })

  test('property: logs of any kind are read without an error', () => {
    const bytes = (length: number) =>
      fc.uint8Array({ minLength: length, maxLength: length }).map((each) => toHex(each))
    const known = [transfer(usdc, trader, pool, 1n), swapOn(pool), deposit(pool, 1n)]
    const event = fc.oneof(fc.constantFrom(...known.map(({ topics }) => topics[0]!)), bytes(32))
    const log = fc.record({
      address: fc.constantFrom(weth, usdc, pool),
      topics: fc.oneof(
        fc.constant([]),
        fc.tuple(event),
        fc.tuple(event, bytes(32)),
        fc.tuple(event, bytes(32), bytes(32)),
        fc.tuple(event, bytes(32), bytes(32), bytes(32)),
      ),
      data: fc.oneof(bytes(0), bytes(31), bytes(32), bytes(64)),
    })
    fc.assert(
      fc.property(fc.array(log), (logs) => {
        const answer = read(logs)
        if (typeof answer === 'string') return
        expect(answer.amountIn).toBeGreaterThan(0n)
        expect(answer.amountOut).toBeGreaterThan(0n)
      }),
    )
  })
})
