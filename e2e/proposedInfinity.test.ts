import { hubAbi } from '@sluice/abi'
import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, type Quote } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToString,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from './lib/createMarket.js'
import { openWallet } from './lib/openWallet.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'
import { send, swapQuote } from './lib/swapQuote.js'
import { untilIndexed } from './lib/untilIndexed.js'

const chainId = 8453
const venueName = 'pancakeswap-infinity'
/** No common tier, so that no adapter finds the pool by its tokens. */
const [fee, tickSpacing, lastTick] = [300, 6, 887_268]
const key =
  'struct Key { address currency0; address currency1; address hooks; address manager; uint24 fee; bytes32 parameters; }'
const abi = parseAbi([
  key,
  'function clPoolManager() view returns (address)',
  'function initialize(Key key, uint160 sqrtPriceX96)',
  'function add(Key key, int24 lower, int24 upper, uint256 liquidity)',
])

let devnet: Devnet
let server: RunningServer
let token: Address
let pool: Hex

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  token = await createToken(devnet, 'NEW')
  pool = await launch()
  server = await serveDevnet(devnet, { poolIndex: ':memory:' })
  await untilIndexed(server)
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

const tokenOf = (symbol: string) => devnet.chains[0]!.tokens[symbol]!.address

/** Creates the token's only pool: as many base units of it as of USDC, at all prices. */
async function launch(): Promise<Hex> {
  const wallet = openWallet(devnet)
  const { hub } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  const venues = await wallet.readContract({ address: hub, abi: hubAbi, functionName: 'venues' })
  const isOurs = ({ id }: (typeof venues)[number]) => hexToString(id, { size: 32 }) === venueName
  const registry = venues.find(isOurs)!.factory
  const reader = { address: registry, abi, functionName: 'clPoolManager' } as const
  const manager = await wallet.readContract(reader)
  const [currency0, currency1] = [token, tokenOf('USDC')].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  ) as [Address, Address]
  const parameters = numberToHex(BigInt(tickSpacing) << 16n, { size: 32 })
  const poolKey = { currency0, currency1, hooks: zeroAddress, manager, fee, parameters }
  await send(devnet, {
    to: manager,
    data: encodeFunctionData({ abi, functionName: 'initialize', args: [poolKey, 2n ** 96n] }),
  })
  const args = [poolKey, -lastTick, lastTick, 10n ** 15n] as const
  await send(devnet, { to: registry, data: encodeFunctionData({ abi, functionName: 'add', args }) })
  return keccak256(encodeAbiParameters(parseAbiParameters(['Key key', key]), [poolKey]))
}

function ask(recipient: Address): Promise<Quote> {
  const pair = { in: token, out: tokenOf('WETH') }
  const client = createClient({ baseUrl: server.url })
  return getQuote(client, { chain: chainId, ...pair, amountIn: 10n ** 9n, recipient })
}

test('default: the first quote uses a pool of Infinity that nobody named, and the swap pays it', async () => {
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  const quote = await ask(recipient)
  expect(quote.meta!.pools).toEqual([pool])
  expect(quote.route.legs[0]!.venueName).toBe(venueName)
  expect(quote.route.legs.filter(({ hooked }) => hooked)).toEqual([])
  expect(await swapQuote(devnet, quote, recipient)).toBe(quote.amountOut)
})
