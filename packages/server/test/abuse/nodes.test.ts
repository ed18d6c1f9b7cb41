import { afterEach, describe, expect, test } from 'vitest'
import { type FakeNode, type Fault, startFakeNode } from '../../../engine/test/fakeNode.js'
import { ask, post, quotePath, startService } from '../harness.js'

let nodes: FakeNode[] = []

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
})

async function startOn(count: number, fault?: Fault) {
  nodes = await Promise.all(Array.from({ length: count }, () => startFakeNode({ chainId: 8_453n })))
  for (const node of nodes) node.fault = fault
  return startService({ rpcUrls: new Map([[8_453, nodes.map(({ url }) => url)]]) })
}

const calls = () => nodes.reduce((sum, node) => sum + (node.calls.get('eth_call') ?? 0), 0)

describe('a node or token with an endless answer', () => {
  test('behavior: reads at most 256 KiB of it, and serves others', async () => {
    const { url } = await startOn(1)
    await ask(url + quotePath)
    nodes[0]!.fault = 'huge'
    const before = process.memoryUsage().arrayBuffers
    const answers = await Promise.all(
      [1, 2, 3, 4].map((amount) => ask(`${url}${quotePath}${amount}`)),
    )
    expect(answers.map(({ body }) => body['code'])).toEqual(Array(4).fill('rpc_unreachable'))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 2 ** 20)
    nodes[0]!.fault = undefined
    expect((await ask(`${url}${quotePath}5`)).status).toBe(200)
  })
})

describe('a token that burns all gas', () => {
  test('behavior: costs two calls, one to confirm, and gives no_route', async () => {
    const { url } = await startOn(3, { error: { code: -32_603, message: 'EVM error OutOfGas' } })
    expect(await ask(url + quotePath)).toMatchObject({ status: 422, body: { code: 'no_route' } })
    expect(calls()).toBe(2)
  })

  test('behavior: a revert does the same', async () => {
    const { url } = await startOn(3, { error: { code: 3, message: 'execution reverted' } })
    expect(await ask(url + quotePath)).toMatchObject({ status: 422, body: { code: 'no_route' } })
    expect(calls()).toBe(2)
  })
})

describe('a token that lies about its decimals', () => {
  test('behavior: decimals are not read; amounts are base units everywhere', async () => {
    const { url } = await startOn(1)
    const { body } = await ask(url + quotePath)
    expect(body).toMatchObject({ amountIn: '1000000', amountOut: '1994400' })
    expect([...nodes[0]!.calls.keys()].sort()).toEqual(
      expect.arrayContaining(['eth_call', 'eth_getBlockByNumber']),
    )
    expect(calls()).toBe(1)
  })
})

describe('amplification', () => {
  test.each<Fault>(['hang', 'reset', 'html', 'null', 'wrong id', { status: 503 }, { status: 429 }])(
    'behavior: at most three nodes for a quote, and for each chain of a batch: %j',
    async (fault) => {
      const { url } = await startOn(5, fault)
      expect((await ask(url + quotePath)).status).toBe(502)
      expect(calls()).toBeLessThanOrEqual(3)
      const before = calls()
      const requests = Array.from({ length: 10 }, (_, at) => ({
        chain: 'base',
        in: 'WETH',
        out: 'USDC',
        amountIn: `${at + 1}`,
      }))
      const { body } = await post(`${url}/api/quote/batch`, { requests })
      expect(body).toMatchObject({
        count: 10,
        results: Array(10).fill({ code: 'rpc_unreachable' }),
      })
      expect(calls() - before).toBeLessThanOrEqual(3 * 10)
    },
  )

  test('behavior: only quotes cause node requests', async () => {
    const { node, url } = await startService()
    await ask(url + quotePath)
    const { requests } = node
    for (const path of [
      '/',
      '/api',
      '/api/health',
      '/api/manifest',
      '/api/deployments',
      '/api/abi',
      '/llms.txt',
    ])
      for (let count = 0; count < 20; count++) await fetch(url + path)
    await ask(`${url}${quotePath.replace('/quote', '/quote/prepare')}`)
    expect(node.requests).toBe(requests)
  })
})
