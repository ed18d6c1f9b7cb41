import type { QuoteResponse } from '@sluice/api'
import { type Devnet, startDevnet } from '@sluice/devnet'
import { type RunningServer, startServer } from '@sluice/server'
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let devnet: Devnet
let server: RunningServer
const recipient = getAddress('0x00000000000000000000000000000000000a11ce')

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
  })
})
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const chain = () => devnet.chains[0]!
const addressOf = (symbol: string): Address => chain().tokens[symbol]!.address

type Failure = { code: string; details: { field: string; code: string }[] }

async function ask(parameters: Record<string, string>) {
  const query = new URLSearchParams({ chain: 'base', ...parameters })
  const answer = await fetch(`${server.url}/api/quote?${query}`)
  const body = (await answer.json()) as QuoteResponse & Failure
  return { status: answer.status, body }
}

const codesOf = ({ warnings }: QuoteResponse) => (warnings ?? []).map(({ code }) => code)

describe('before a transaction is given', () => {
  test.each(['in', 'out'])('a paused token as `%s` is refused, with its side', async (field) => {
    const other = field === 'in' ? 'out' : 'in'
    const trade = { [field]: addressOf('HALT'), [other]: 'WETH', amountIn: `1${'0'.repeat(18)}` }
    for (const more of [{ recipient }, { recipient, exact: '1' }, { exact: '1' }]) {
      const { body, status } = await ask({ ...trade, ...more } as never)
      expect([status, body.code]).toEqual([422, 'no_route'])
      expect(body.details).toMatchObject([{ field, code: 'transfer_paused' }])
    }
  })

  test('a taxed token is quoted as what arrives, and named', async () => {
    const { body } = await ask({
      in: addressOf('LEVY'),
      out: 'WETH',
      amountIn: `1000${'0'.repeat(18)}`,
      recipient,
    })
    expect(body.mode).toBe('preview')
    expect(body.tx).toBeDefined()
    expect(codesOf(body)).toEqual(['taxed_token'])
    const untaxed = await ask({
      in: addressOf('LEVY'),
      out: 'WETH',
      amountIn: `1000${'0'.repeat(18)}`,
    })
    const kept = Number(body.amountOut) / Number(untaxed.body.amountOut)
    expect(kept).toBeGreaterThan(0.979)
    expect(kept).toBeLessThan(0.981)
  })

  test('dust is told from tokens without pools', async () => {
    const dust = await ask({ in: 'USDC', out: 'WETH', amountIn: '1', recipient })
    const apart = await ask({ in: addressOf('HALT'), out: recipient, amountIn: '1' })
    expect(apart.status).toBe(400)
    if (dust.status === 422)
      expect(dust.body.details).toMatchObject([{ field: 'amountIn', code: 'nothing_out' }])
    else expect(BigInt(dust.body.amountOut)).toBeGreaterThan(0n)
  })
})
