import { quoteResponse } from '@sluice/api'
import { PlanCall } from '@sluice/domain'
import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../domain/test/deployments.js'
import { blockHash, planOf } from '../../engine/test/fakeNode.js'
import { ask, quotePath, startService } from '../test/harness.js'

/** As an integrator writes it, from the Router's source. */
const routerAbi = parseAbi([
  'struct Leg { uint16 venue; address pool; address tokenIn; address tokenOut; uint256 key; uint256 share; }',
  'struct Route { address tokenIn; address tokenOut; uint256 amountIn; uint256 grossOut; uint256 impactBps; Leg[] legs; }',
  'function swapExactIn(Route route, uint256 amountIn, uint256 minOut, address recipient, uint256 deadline) returns (uint256 amountOut)',
])

const recipient = '0x00000000000000000000000000000000000000AA'

describe('GET /api/quote', () => {
  test('default: the whole response', async () => {
    const { url } = await startService()
    const { body, headers, status } = await ask(url + quotePath)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(quoteResponse.strict().parse(body)).toEqual(body)
    expect(body).toEqual({
      ok: true,
      mode: 'preview',
      chainId: 8_453,
      tokenIn: tokens.weth,
      tokenOut: tokens.usdc,
      amountIn: '1000000',
      amountOut: '1994400',
      quote: {
        grossOut: '2000000',
        protocolFee: '5600',
        netOut: '1994400',
        ironFloor: '1973858',
        effectiveMinOut: '1973858',
        impactBps: 12,
        estGas: '130000',
        gasPriceWei: '0',
        gasPriceSource: 'none',
        gasCostOut: '0',
        hops: 1,
        legs: 1,
        canExecute: true,
        hasSurplus: false,
        feeBps: 28,
        upperBound: '2000001',
        gapBps: 0.005,
        truncated: false,
      },
      route: {
        tokenIn: tokens.weth,
        tokenOut: tokens.usdc,
        amountIn: '1000000',
        grossOut: '2000000',
        impactBps: 12,
        legs: [
          {
            venue: 1,
            venueName: 'fake-v3',
            kind: 'uniswapV3',
            feePips: 3_000,
            pool: '0x00000000000000000000000000000000000000B0',
            tokenIn: tokens.weth,
            tokenOut: tokens.usdc,
            key: '3000',
            share: '1000000000000000000',
          },
        ],
      },
      tokens: {
        in: { symbol: 'WETH', decimals: 18, source: 'pinned' },
        out: { symbol: 'USDC', decimals: 6, source: 'pinned' },
      },
      wrapRequired: false,
      unwrapAfter: false,
      meta: {
        quotedAt: expect.any(Number),
        latencyMs: expect.any(Number),
        rpcTried: 1,
        cache: 'miss',
        blockNumber: 100,
        blockHash: blockHash(100),
        call: {
          to: registry.get(8_453)!.contracts.quoter,
          data: PlanCall.encode({
            tokenIn: tokens.weth,
            tokenOut: tokens.usdc,
            amountIn: 1_000_000n,
            isExact: false,
            gasPrice: 0n,
            connectors: [],
          }),
          gas: '0x2faf080',
          blockNumber: 100,
          blockHash: blockHash(100),
        },
      },
    })
  })

  test('behavior: swapExactIn accepts the route of the response unchanged', async () => {
    const { node, url } = await startService()
    const path = `${quotePath}&recipient=${recipient}&slippageBps=50&deadlineSec=60`
    const before = Math.floor(Date.now() / 1_000)
    const { body, headers } = await ask(url + path)
    const after = Math.floor(Date.now() / 1_000)
    const { route, tx } = body as never as {
      route: never
      tx: { to: Hex; data: Hex; deadline: number; deadlineFrom: string }
    }
    const decoded = decodeFunctionData({ abi: routerAbi, data: tx.data })
    const [, amountIn, minOut, to, deadline] = decoded.args as readonly [
      unknown,
      bigint,
      bigint,
      Hex,
      bigint,
    ]
    expect([amountIn, minOut, to]).toEqual([1_000_000n, 1_984_428n, recipient])
    // The fake chain's block may be dated a second after this clock.
    const from = Math.max(before, node.genesis + 200)
    const until = Math.max(after, node.genesis + 200)
    expect(Number(deadline)).toBeGreaterThanOrEqual(from + 60)
    expect(Number(deadline)).toBeLessThanOrEqual(until + 60)
    expect([tx.deadline, tx.deadlineFrom]).toEqual([Number(deadline), expect.any(String)])
    expect(
      encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactIn',
        args: [route, amountIn, minOut, recipient, deadline],
      }),
    ).toBe(tx.data)
    expect(body).toMatchObject({
      quote: { effectiveMinOut: '1984428' },
      tx: { to: registry.get(8_453)!.contracts.router, value: '0' },
      approval: { token: tokens.weth, amount: '1000000' },
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('behavior: ETH is wrapped before and unwrapped after', async () => {
    const { url } = await startService()
    const asked = await Promise.all(
      ['in=ETH&out=USDC', 'in=usdc&out=eth'].map((pair) =>
        ask(`${url}/api/quote?chain=8453&${pair}&amountIn=5`),
      ),
    )
    expect(asked.map(({ body }) => body)).toMatchObject([
      { tokenIn: tokens.weth, wrapRequired: true, unwrapAfter: false },
      { tokenOut: tokens.weth, wrapRequired: false, unwrapAfter: true },
    ])
  })

  test('behavior: an exact quote', async () => {
    const { node, url } = await startService()
    node.plan = (ask_) => planOf(ask_, ask_.isExact ? { verdict: 6 } : {})
    const { body, headers, status } = await ask(`${url}${quotePath}&exact=1&recipient=${recipient}`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const reason =
      'A dry run of the route delivered less than the floor: a token takes a tax on transfers.'
    expect(body).toMatchObject({
      mode: 'exact',
      quote: { canExecute: false, reason },
      txReason: reason,
    })
    expect(body).not.toHaveProperty('tx')
    expect(body).not.toHaveProperty('approval')
  })

  test('behavior: a miss, hits, and coalesced quotes: one call in all', async () => {
    const { adminPort, node, url } = await startService({ adminPort: 0, headFreshMs: 60_000 })
    let answer = () => {}
    node.until = new Promise((resolve) => {
      answer = resolve
    })
    const asked = Array.from({ length: 50 }, () => ask(url + quotePath))
    // The node answers once all of them wait for it, however slow this machine is.
    const metrics = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    await expect.poll(metrics).toContain('\nhttp_server_active_requests 50\n')
    answer()
    const crowd = await Promise.all(asked)
    const states = crowd.map(({ body }) => (body as { meta?: { cache: string } }).meta?.cache)
    expect(states.filter((state) => state === 'miss')).toHaveLength(1)
    expect(states.filter((state) => state === 'coalesced')).toHaveLength(49)
    expect(await ask(url + quotePath)).toMatchObject({ body: { meta: { cache: 'hit' } } })
    expect(node.calls.get('eth_call')).toBe(1)
  })

  test('behavior: shared caches keep a preview until the next block is due, at most', async () => {
    const { node, url } = await startService()
    node.genesis = Math.ceil(Date.now() / 1_000) - 200
    const { headers } = await ask(url + quotePath)
    expect(headers.get('cache-control')).toMatch(/^public, max-age=0(, s-maxage=[12])?$/)
    node.genesis -= 60
    const { headers: late } = await ask(`${url}${quotePath}1`)
    expect(late.get('cache-control')).toBe('public, max-age=0')
  })

  test('behavior: a client that disconnects cancels the node request', async () => {
    const { node, url } = await startService()
    await expect.poll(() => node.calls.get('eth_chainId')).toBe(1)
    node.fault = 'hang'
    const before = node.requests
    const leaving = new AbortController()
    const quote = fetch(url + quotePath, { signal: leaving.signal })
    // A slow machine may let a look at the head go out beside it.
    await expect.poll(() => node.requests).toBeGreaterThan(before)
    leaving.abort()
    await expect(quote).rejects.toThrow()
    await expect.poll(() => node.aborted).toBeGreaterThan(0)
  })

  test.each([
    ['amountIn=0', 400, 'bad_amount_in'],
    ['in=DOGE', 422, 'unresolved'],
    ['in=US%20DC', 400, 'bad_in'],
    ['chain=eth', 400, 'bad_chain'],
    ['unknown=1', 400, 'bad_param'],
  ])('error: %s', async (change, status, code) => {
    const { node, url } = await startService()
    const query = new URLSearchParams(quotePath.split('?')[1])
    for (const [name, value] of new URLSearchParams(change)) query.set(name, value)
    const answer = await ask(`${url}/api/quote?${query}`)
    expect(answer).toMatchObject({ status, body: { ok: false, code, retryable: false } })
    expect(answer.body).toMatchObject({ details: [{ code, field: change.split('=')[0] }] })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(node.calls.get('eth_call')).toBeUndefined()
  })

  test.each([
    [1, 422, 'no_route'],
    [2, 400, 'bad_in'],
    [3, 400, 'bad_out'],
    [4, 422, 'no_route'],
  ])('error: verdict %i is %i %s', async (verdict, status, code) => {
    const { node, url } = await startService()
    node.plan = (ask_) => planOf(ask_, { verdict })
    expect(await ask(url + quotePath)).toMatchObject({ status, body: { ok: false, code } })
  })

  test('error: the node is down: 502 at once, and 200 after it recovers', async () => {
    const { node, url } = await startService()
    node.fault = 'reset'
    const startedAt = performance.now()
    expect(await ask(url + quotePath)).toMatchObject({
      status: 502,
      body: { ok: false, code: 'rpc_unreachable', retryable: true },
    })
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    node.fault = undefined
    expect(await ask(url + quotePath)).toMatchObject({ status: 200 })
  })

  test('error: the node hangs: 502 within 2.5 s', async () => {
    const { node, url } = await startService()
    node.fault = 'hang'
    const startedAt = performance.now()
    expect(await ask(url + quotePath)).toMatchObject({ status: 502 })
    expect(performance.now() - startedAt).toBeLessThan(2_500)
  })
})
