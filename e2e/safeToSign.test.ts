import type { QuoteResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import type { RunningServer } from '@sluice/server'
import { type Address, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measure } from '../bench/safe/run.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { nodeKind, patience, startDevnet } from './lib/startDevnet.js'

let devnet: Devnet
let server: RunningServer
const recipient = getAddress('0x00000000000000000000000000000000000a11ce')

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  server = await serveDevnet(devnet)
})
afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const chain = () => devnet.chains[0]!
const addressOf = (symbol: string): Address => chain().tokens[symbol]!.address

async function rpc(method: string, params: unknown[]): Promise<Hex> {
  const answer = await fetch(chain().rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await answer.json()) as { result: Hex }).result
}

type Failure = { code: string; details: { field: string; code: string }[] }

async function ask(parameters: Record<string, string>) {
  const query = new URLSearchParams({ chain: 'base', ...parameters })
  const answer = await fetch(`${server.url}/api/quote?${query}`)
  const body = (await answer.json()) as QuoteResponse & Failure
  return { status: answer.status, body }
}

const codesOf = ({ warnings }: QuoteResponse) => (warnings ?? []).map(({ code }) => code)

describe('a quote with a recipient', () => {
  test.each(['in', 'out'])('error: a paused token as `%s`, with its side', async (field) => {
    const other = field === 'in' ? 'out' : 'in'
    const trade = { [field]: addressOf('HALT'), [other]: 'WETH', amountIn: `1${'0'.repeat(18)}` }
    for (const more of [{ recipient }, { recipient, exact: '1' }, { exact: '1' }]) {
      const { body, status } = await ask({ ...trade, ...more } as never)
      expect([status, body.code]).toEqual([422, 'no_route'])
      expect(body.details).toMatchObject([{ field, code: 'transfer_paused' }])
    }
  })

  test.each(['PYRE', 'BLOAT'])(
    'error: %s, whose balance the Router cannot read, on either side',
    async (symbol) => {
      const token = addressOf(symbol)
      for (const field of ['in', 'out'])
        for (const more of [{ recipient }, { sender: recipient }, { recipient, exact: '1' }]) {
          const pair = field === 'in' ? { in: token, out: 'WETH' } : { in: 'WETH', out: token }
          const trade = { ...pair, amountIn: `1${'0'.repeat(18)}` }
          const { body, status } = await ask({ ...trade, ...more } as never)
          expect([field, more, status, body.code]).toEqual([field, more, 422, 'no_route'])
          expect(body).not.toHaveProperty('tx')
        }
    },
  )

  test('behavior: a taxed token is quoted as the amount that arrives, with a warning', async () => {
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

  test('error: dust that buys nothing, and an address that is not a token', async () => {
    const dust = await ask({ in: 'USDC', out: 'WETH', amountIn: '1', recipient })
    const apart = await ask({ in: addressOf('HALT'), out: recipient, amountIn: '1' })
    expect(apart.status).toBe(400)
    if (dust.status === 422)
      expect(dust.body.details).toMatchObject([{ field: 'amountIn', code: 'nothing_out' }])
    else expect(BigInt(dust.body.amountOut)).toBeGreaterThan(0n)
  })
})

describe('with a sender', () => {
  const usdc = { in: 'USDC', out: 'WETH', amountIn: '1000000' }

  test('behavior: an empty wallet gets `issues` and no transaction', async () => {
    const { body } = await ask({ ...usdc, sender: recipient })
    expect(body.issues).toEqual({
      allowance: { spender: body.approval!.spender, actual: '0', expected: '1000000' },
      balance: { token: addressOf('USDC'), actual: '0', expected: '1000000' },
    })
    expect(body).not.toHaveProperty('tx')
    expect(body).not.toHaveProperty('calls')
    expect(body.txReason).toContain('issues.balance')
  })

  test('behavior: with version 2, native coin needs only the swap, with its value', async () => {
    const sender = devnet.account.address
    const { body } = await ask({
      in: 'ETH',
      out: 'USDC',
      amountIn: `${10n ** 15n}`,
      sender,
      version: '2',
    })
    expect(body.issues).toEqual({})
    expect(body.tx!.value).toBe(`${10n ** 15n}`)
    expect(body.calls).toEqual([
      {
        purpose: 'swap',
        to: body.tx!.to,
        data: body.tx!.data,
        value: '0x38d7ea4c68000',
        gas: `0x${BigInt(body.tx!.gas!).toString(16)}`,
      },
    ])
    expect([body.wrapRequired, body.approval]).toEqual([false, undefined])
  })

  test('behavior: with version 1, native coin is wrapped and approved first', async () => {
    const { address: sender } = privateKeyToAccount(generatePrivateKey())
    const poor = await ask({ in: 'ETH', out: 'USDC', amountIn: `${10n ** 15n}`, sender })
    expect(poor.body.issues!.balance!.token).toBe('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE')
    const rich = await ask({
      in: 'ETH',
      out: 'USDC',
      amountIn: `${10n ** 15n}`,
      sender: devnet.account.address,
    })
    expect(rich.body.calls!.map(({ purpose, value }) => [purpose, value])).toEqual([
      ['wrap', '0x38d7ea4c68000'],
      ['approve', '0x0'],
      ['swap', '0x0'],
    ])
  })

  test.each([['1.0.0', 'permit2', '0x00000000000000000000000000000000000a11ce', 'version=2']])(
    'error: %s does not accept signatures',
    async (version, signature, sender, reason) => {
      const { body, status } = await ask({ ...usdc, version, signature, sender })
      expect([status, body.code]).toEqual([400, 'bad_param'])
      expect((body as unknown as { error: string }).error).toContain(reason)
    },
  )

  test('error: the signature is from another account', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    await rpc('hardhat_setBalance', [owner.address, '0xde0b6b3a7640000'])
    const mint = `0x40c10f19${owner.address.slice(2).padStart(64, '0')}${(10n ** 6n).toString(16).padStart(64, '0')}`
    await rpc('eth_sendTransaction', [
      { from: devnet.account.address, to: addressOf('USDC'), data: mint },
    ])
    await rpc('evm_mine', [])
    const trade = { ...usdc, version: '2', signature: 'permit2', sender: owner.address }
    const { body: quote } = await ask(trade)
    expect(quote.permit!.owner).toBe(owner.address)
    expect(quote.txReason).toBe(
      'The allowance is too low: send `calls`, then sign `permit`; the signature pays for the swap.',
    )
    const signed = async (account: typeof owner) => {
      const signature = await account.signTypedData(quote.permit!.typedData as never)
      const answer = await fetch(`${server.url}/api/quote/signed`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ quote, signature }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    expect(await signed(owner)).toMatchObject({
      status: 200,
      body: { ok: true, owner: owner.address, tx: { value: '0', gas: quote.permit!.gas } },
    })
    const other = privateKeyToAccount(generatePrivateKey())
    expect(await signed(other)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', details: [{ field: 'signature' }] },
    })
  })
})

test('property: for forty random wallets and trades, no returned transaction reverts', async () => {
  const tally = await measure({
    count: 40,
    seed: 3,
    chainIds: [8453, 1],
    node: nodeKind,
    service: patience,
  })
  expect(tally).toMatchObject({ reverted: 0, stranded: 0, untold: 0, unnamed: 0 })
  expect(tally.swaps).toBeGreaterThan(10)
  expect(tally.errors.filter((error) => error > 5)).toEqual([])
}, 240_000)
