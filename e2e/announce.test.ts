import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRpc } from '@sluice/deploy'
import { createHookedPool, type Devnet, fund, type HookedSpec, hookedPool } from '@sluice/devnet'
import { createClient, getQuote, type Quote } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import { type Address, type Hex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRepository } from '../bench/lib/repository.js'
import { flags, hookAddress, installHook } from '../bench/quality/made/annexes/hooks.js'
import { createPair, createToken } from './lib/createMarket.js'
import { openWallet } from './lib/openWallet.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'
import { send, swapQuote } from './lib/swapQuote.js'

const chainId = 1
const whole = 10n ** 18n
const tickSpacing = 60
/** A price of one: the hook ignores it. */
const sqrtPriceX96 = 2n ** 96n
/** Uniswap V4's PoolManager on Ethereum. */
const manager: Address = '0x000000000004444c5dc75cB358380D2e3dE08A90'
const folder = mkdtempSync(join(tmpdir(), 'sluice-announce-'))
const [deployments, keyFile, json] = ['deployments.json', 'announcer.key', 'result.json'].map(
  (name) => join(folder, name),
) as [string, string, string]

let devnet: Devnet
let server: RunningServer
let token: Address
/** Pools whose hook keeps all reserves, and one without hooks. */
let curve: Hex
let other: Hex
let plain: Hex

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  writeFileSync(deployments, JSON.stringify(devnet.deployments))
  writeFileSync(keyFile, `${devnet.account.privateKey}\n`)
  token = await createToken(devnet, 'NEW')
  await createPair(devnet, [token, usdc()], [10_000n * whole, 20_000n * 10n ** 6n])
  curve = await launch('curve')
  other = await launch('other')
  plain = await createPool(zeroAddress)
  server = await serveDevnet(devnet)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

const usdc = () => devnet.chains[0]!.tokens['USDC']!.address
const sides = () =>
  [
    { address: token, amount: 10n ** 6n * whole },
    { address: usdc(), amount: 2n * 10n ** 12n },
  ].sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

/** Creates a pool without liquidity, whose hook has a million tokens and two million dollars. */
async function launch(name: string): Promise<Hex> {
  const hooks = hookAddress(name, flags.beforeSwap | flags.beforeSwapDelta)
  const rpc = createRpc(devnet.chains[0]!.rpcUrl)
  await installHook(rpc, { at: hooks, fixture: 'CurveHook', args: [manager] })
  const tokens = sides().map(({ address }) => address)
  const amounts = sides().map(({ amount }) => amount)
  await send(devnet, fund(devnet.account.address, { tokens, amounts, to: hooks }))
  return createPool(hooks)
}

async function createPool(hooks: Address): Promise<Hex> {
  const [currency0, currency1] = sides().map(({ address }) => address) as [Address, Address]
  const key = { currency0, currency1, fee: 0, tickSpacing, hooks }
  const spec: HookedSpec = { key, sqrtPriceX96, ranges: [] }
  const [initialize] = createHookedPool(spec, { account: devnet.account.address, manager })
  await send(devnet, initialize!)
  return hookedPool(spec)
}

function ask(pool: Hex, more: object = {}): Promise<Quote> {
  const client = createClient({ baseUrl: server.url })
  const trade = { chain: chainId, in: token, out: usdc(), amountIn: 1_000n * whole }
  return getQuote(client, { ...trade, pools: [pool], ...more })
}

/** Whether one of the quote's legs is on a pool with hooks. */
const isHooked = ({ route }: Quote) => route.legs.some(({ hooked }) => hooked === true)

const nonce = () =>
  openWallet(devnet).getTransactionCount({ address: devnet.account.address, blockTag: 'latest' })

async function sluice(...args: string[]) {
  const options = ['--conditions=development', '--import', 'tsx', 'packages/cli/src/main.ts']
  const env = { ...process.env }
  delete env['DEPLOY_KEY']
  const run = promisify(execFile)(process.execPath, [...options, 'announce', ...args], {
    cwd: inRepository('.'),
    env,
  })
  const result = await run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stderr, stdout }) => ({ code: code as number, stdout, stderr }),
  )
  expect(`${result.stdout}${result.stderr}`).not.toContain(devnet.account.privateKey.slice(2, 20))
  return result as { code: number; stdout: string; stderr: string }
}

/** Announces pools on the devnet. */
const announce = (pools: readonly Hex[], ...more: string[]) =>
  sluice(
    ...['--rpc', devnet.chains[0]!.rpcUrl, '--deployments', deployments],
    ...pools.flatMap((pool) => ['--pool', pool]),
    ...more,
  )

test('default: a pool whose hook keeps all reserves is traded after its announcement, which a second run does not repeat', async () => {
  expect(isHooked(await ask(curve))).toBe(false)

  const before = await nonce()
  const dry = await announce([curve], '--key-file', keyFile, '--dry-run')
  expect(dry.stdout).toMatch(
    new RegExp(`\n  ${curve}  would be announced, for about 1\\d{5} gas\n`),
  )
  expect((await announce([curve])).stdout).toBe(dry.stdout)
  expect([dry.code, await nonce()]).toEqual([0, before])

  const sent = await announce([curve, curve], '--key-file', keyFile, '--json', json)
  expect(sent.code).toBe(0)
  expect(sent.stdout).toMatch(
    new RegExp(`  ${curve}  announced in transaction 0x\\w{64}\n1 transaction sent.\n$`),
  )
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    schema: 1,
    chainId,
    pools: [{ pool: curve, transaction: expect.stringMatching(/^0x\w{64}$/) }],
  })
  expect(await nonce()).toBe(before + 1)
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  const quote = await ask(curve, { recipient })
  expect(isHooked(quote)).toBe(true)
  expect(quote.amountOut).toBeGreaterThan(1_980n * 10n ** 6n)
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)

  const known = await nonce()
  const again = await announce([curve], '--key-file', keyFile)
  expect(again.stdout).toContain(`  ${curve}  known already: it was announced before\n`)
  expect(again.stdout).toContain('All pools are known; nothing was sent.\n')
  expect([again.code, await nonce()]).toEqual([0, known])
})

test('behavior: an account of the node signs, pools with a position are left out, and an id may be in upper case', async () => {
  const held = devnet.chains[0]!.hinted['uniswap-v4-hooks']!
  const upper = `0x${other.slice(2).toUpperCase()}` as const
  const signer = ['--from', devnet.account.address, '--from-block', '0']
  const { code, stdout } = await announce([held, upper], ...signer)
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 transaction sent.')])
  expect(stdout).toContain(`  ${held}  known already: a position was held in it\n`)
  expect(stdout).toContain(`  ${other}  announced in transaction 0x`)
})

describe('errors', () => {
  test('error: no such pool, and a pool without hooks; nothing is sent', async () => {
    const before = await nonce()
    const absent = `0x${'12'.repeat(32)}` as const
    const missing = await announce([absent], '--key-file', keyFile)
    expect([missing.code, missing.stderr.trim()]).toEqual([
      1,
      `The PoolManager at ${manager} has no pool ${absent}. Check the id and the chain. Nothing was sent.`,
    ])
    const hookless = await announce([plain], '--key-file', keyFile)
    expect([hookless.code, hookless.stderr]).toEqual([
      1,
      expect.stringContaining(
        `Pool ${plain} has no hooks. Only pools with hooks can be announced. Nothing was sent.\n`,
      ),
    ])
    expect(await nonce()).toBe(before)
  })

  test('error: the chain has no adapter, or is not in the file', async () => {
    const chain = devnet.deployments.chains[chainId]!
    const versions = { '1.0.0': { ...chain.versions['1.0.0']!, hub: zeroAddress } }
    const file = join(folder, 'other.json')
    writeFileSync(file, JSON.stringify({ schema: 1, chains: { 1: { ...chain, versions } } }))
    const { code, stderr } = await announce([curve], '--deployments', file)
    expect([code, stderr.trim()]).toEqual([
      1,
      "The Hub on Ethereum has no enabled venue with the adapter of Uniswap V4's pools with hooks. Its owner has to add one first.",
    ])
    writeFileSync(file, JSON.stringify({ schema: 1, chains: { 5: chain } }))
    expect((await announce([curve], '--deployments', file)).stderr.trim()).toBe(
      'The node is on chain 1, which the deployments file does not have.',
    )
  })

  test('error: no message contains the URL of the node', async () => {
    const url = 'http://127.0.0.1:1/SECRET'
    const { code, stderr } = await announce([curve], '--rpc', url)
    expect([code, stderr.trim()]).toEqual([
      1,
      'The node did not answer eth_chainId. Check that it runs and that its URL is correct.',
    ])
  })

  test.each([
    [[], 'Missing: --rpc, --deployments, --pool. See sluice announce --help.'],
    [['--rpc', 'node'], '--rpc must be an http or https URL. See sluice announce --help.'],
    [
      ['--pool', '0x12'],
      '--pool must be the id of a pool, 32 bytes in hex with 0x, not "0x12". See sluice announce --help.',
    ],
    [
      ['--from-block', 'x'],
      '--from-block must be the number of a block, not "x". See sluice announce --help.',
    ],
    [
      ['--key', '0x12'],
      'Other processes and logs can see a key on the command line. Use another key, and pass it with --key-file or DEPLOY_KEY. See sluice announce --help.',
    ],
  ])('error: %j', async (args, message) => {
    const run = args.length === 0 ? sluice() : announce([curve], ...args)
    const { code, stderr } = await run
    expect([code, stderr.trim()]).toEqual([2, message])
  })
})
