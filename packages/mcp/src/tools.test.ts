import { operations, quoteParameters } from '@sluice/api'
import { afterEach, describe, expect, test } from 'vitest'
import { quoteBody } from '../../sdk/test/service.js'
import { connect } from '../test/connect.js'
import { quoteInput } from './inputs.js'

const trade = { chain: 'base', in: 'WETH', out: 'USDC', amount: '1', amountUnit: 'human' } as const

describe('quoteInput', () => {
  test('default: has the parameters of the API, and a unit for the amount', () => {
    const { amountIn: _, amountOut: __, ...shared } = quoteParameters.shape
    expect(Object.keys(quoteInput.shape).sort()).toEqual(
      [...Object.keys(shared), 'amount', 'amountSide', 'amountUnit'].sort(),
    )
    for (const [name, schema] of Object.entries(shared))
      expect(quoteInput.shape[name as keyof typeof shared].description).toBe(schema.description)
  })

  test.each([
    [{ slippageBps: 50 }, true],
    [{ slippageBps: '50' }, true],
    [{ slippageBps: '5001' }, false],
    [{ exact: true }, true],
    [{ exact: '1' }, true],
    [{ exact: '2' }, false],
    [{ amountUnit: undefined }, false],
    [{ amountUnit: 'wei' }, false],
    [{ amount: 1 }, false],
    [{ chain: 8453 }, true],
    [{ chain: 'solana' }, false],
    [{ recipient: '0x12' }, false],
    [{ amountIn: '1' }, false],
    [{ amountOut: '1' }, false],
    [{ amountSide: 'out' }, true],
    [{ amountSide: 'both' }, false],
  ])('behavior: with %j, accepts the input: %j', (changes, isAccepted) => {
    expect(quoteInput.safeParse({ ...trade, ...changes }).success).toBe(isAccepted)
  })
})

test('default: has every tool and resource that an operation names', async () => {
  const { client } = await connect({ '/api/abi': { ok: true, contracts: [] } })
  const { tools } = await client.listTools()
  const { resources } = await client.listResources()
  await client.close()
  const namesOn = (surface: 'tool' | 'resource') =>
    operations.flatMap(({ surfaces }) => surfaces?.[surface] ?? [])
  const combined = ['repeat_quote', 'resolve_token']
  expect(tools.map(({ name }) => name).sort()).toEqual([...namesOn('tool'), ...combined].sort())
  const uris = resources.map(({ uri }) => uri)
  expect(uris).toEqual(
    expect.arrayContaining(namesOn('resource').map((name) => `sluice://${name}`)),
  )
})

describe('get_quote', () => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close()
  })

  async function call(args: object, body: object = quoteBody) {
    const { asked, client } = await connect({ '/api/quote': body })
    open.push(client)
    const result = await client.callTool({ name: 'get_quote', arguments: { ...trade, ...args } })
    return { asked, ...result }
  }

  test('default: sends one request with every parameter', async () => {
    const { asked } = await call({
      chain: 8453,
      recipient: '0x00000000000000000000000000000000000000AA',
      slippageBps: 50,
      deadlineSec: '60',
      exact: true,
      connectors: `${quoteBody.tokenIn},${quoteBody.tokenOut}`,
      pools: `${quoteBody.tokenIn},0x${'ab'.repeat(32)}`,
    })
    expect(asked).toEqual([
      '/api/quote?chain=8453&in=WETH&out=USDC&recipient=0x00000000000000000000000000000000000000AA' +
        `&slippageBps=50&deadlineSec=60&exact=1&amountIn=1000000000000000000&connectors=${quoteBody.tokenIn}%2C${quoteBody.tokenOut}` +
        `&pools=${quoteBody.tokenIn}%2C0x${'ab'.repeat(32)}`,
    ])
  })

  test('default: sends a state to quote on, as an object or as JSON', async () => {
    const summary = { accounts: 1, slots: 0, digest: `0x${'ab'.repeat(32)}` }
    const body = { ok: true, results: [{ ...quoteBody, overrides: summary }] }
    const state = { [quoteBody.tokenIn]: { balance: '0x1' } }
    for (const overrides of [state, JSON.stringify(state)]) {
      const { asked, client } = await connect({ '/api/quote/batch': body })
      open.push(client)
      const { structuredContent } = await client.callTool({
        name: 'get_quote',
        arguments: { ...trade, overrides },
      })
      expect(asked).toEqual(['/api/quote/batch'])
      expect(structuredContent).toMatchObject({ overrides: summary })
    }
  })

  test('behavior: says that a quote cannot be executed, and why', async () => {
    const quote = { ...quoteBody.quote, canExecute: false, reason: 'A token takes a tax.' }
    const { structuredContent } = await call({}, { ...quoteBody, quote })
    expect(structuredContent).toMatchObject({
      display: expect.stringMatching(/It cannot be executed: A token takes a tax\.$/),
    })
  })

  test('error: a malformed response of the service', async () => {
    const { content, isError } = await call({}, { ok: true, route: 1 })
    expect(isError).toBe(true)
    expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual({
      ok: false,
      code: 'undecodable',
      error: 'The response is not a complete quote.',
      retryable: false,
    })
  })
})
