import { type Address, type Hex, isAddressEqual, toFunctionSelector } from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { VenueEntry } from '../parseVenue.js'
import type { Rpc } from '../rpc.js'
import { checkListed } from './checkListed.js'
import { checkRegistry } from './checkRegistry.js'
import { checkTiers } from './checkTiers.js'
import { derivePool } from './derivePool.js'
import type { ConfigFindings, Fault, Unchecked } from './Findings.js'
import { pairsOf, type TokenPair } from './pairs.js'
import { type Chain, readChain } from './readChain.js'
import {
  addressIn,
  numberIn,
  readOfCount,
  readOfLock,
  readOfPlace,
  readOfPool,
} from './venueReads.js'

const totalSupply = toFunctionSelector('totalSupply()')
const token0 = toFunctionSelector('token0()')
const token1 = toFunctionSelector('token1()')
/** Code of a clone of another contract (EIP-1167), around the address of the other. */
const cloneParts = ['0x363d3d373d3d3d363d73', '5af43d82803e903d91602b57fd5bf3'] as const
const noCallback: Hex = '0x00000000'

/**
 * Compares a chain config with its chain: code at each address, tokens, factories and registries, how pool addresses are derived, tiers,
 * callbacks, locks and the tokens of listed pools.
 *
 * @param block Block of all reads.
 */
export async function checkConfig(
  rpc: Rpc,
  config: ChainConfig,
  block: Hex,
): Promise<ConfigFindings> {
  const chain: Chain = {
    read: (reads) => readChain(rpc, reads, block),
    code: async (addresses) =>
      await rpc.batch<Hex>(addresses.map((address) => ['eth_getCode', [address, block]])),
  }
  const parts = [await checkCode(chain, config)]
  for (const [index, venue] of config.venues.entries()) {
    const at = `venues[${index}]`
    // A factory without code is one fault, not one for each thing that it does not answer.
    const isDead = parts[0]!.faults.some((fault) => fault.at === `${at}.factory`)
    if (isDead) continue
    parts.push(await checkRegistry(chain, venue, { at, config }))
    const sample = await checkPools(chain, venue, { at, config })
    parts.push(sample.findings, await checkTiers(chain, venue, at))
    if (sample.pool) parts.push(await checkPool(chain, venue, { at, pool: sample.pool }))
  }
  parts.push(await checkListed(chain, config))
  return {
    faults: parts.flatMap(({ faults }) => faults),
    unchecked: parts.flatMap(({ unchecked }) => unchecked),
    confirmed: parts.reduce((sum, { confirmed }) => sum + confirmed, 0),
  }
}

/** Code at each address, and a total supply of each token. */
async function checkCode(chain: Chain, config: ChainConfig): Promise<ConfigFindings> {
  const { connectorTokens, pools, slu, usdc, venues, wrappedNative } = config
  const tokens = [
    ['wrappedNative', wrappedNative] as const,
    ['usdc', usdc] as const,
    ...(slu === null ? [] : [['slu', slu] as const]),
    ...connectorTokens.map((token, index) => [`connectorTokens[${index}]`, token] as const),
    ...pools.flatMap(({ tokens }, index) =>
      tokens.map((token, place) => [`pools[${index}].tokens[${place}]`, token] as const),
    ),
  ]
  const contracts = [
    // An adapter of this repository is deployed with the Hub, and a check brings it along.
    ...venues.flatMap(({ adapter, deployer, factory }, index) => [
      [`venues[${index}].factory`, factory] as const,
      ...(deployer === factory || adapter !== undefined
        ? []
        : [[`venues[${index}].deployer`, deployer] as const]),
    ]),
    ...pools.map(({ pool }, index) => [`pools[${index}].address`, pool] as const),
  ]
  const all = [...tokens, ...contracts]
  const codes = await chain.code(all.map(([, address]) => address))
  const faults: Fault[] = all.flatMap(([at, address], index) =>
    codes[index] === '0x'
      ? [{ code: 'NO_CODE', at, message: `No contract is at ${address}.` }]
      : [],
  )
  const supplies = await chain.read(tokens.map(([, to]) => ({ to, data: totalSupply })))
  for (const [index, [at, address]] of tokens.entries())
    if (numberIn(supplies[index]) === undefined && codes[index] !== '0x')
      faults.push({ code: 'NOT_A_TOKEN', at, message: `${address} has no total supply.` })
  return { faults, unchecked: [], confirmed: all.length + tokens.length - faults.length }
}

/** Asks the factory for pools, and derives the same pools. */
async function checkPools(
  chain: Chain,
  venue: VenueEntry,
  { at, config }: { at: string; config: ChainConfig },
): Promise<{ findings: ConfigFindings; pool?: Address }> {
  const pairs = [...pairsOf(config.connectorTokens), ...(await firstPairs(chain, venue))]
  const asks = pairs.flatMap((pair) =>
    venue.tiers.flatMap(({ key }) => {
      const read = readOfPool(venue, pair, key)
      return read ? [{ pair, key, read }] : []
    }),
  )
  if (asks.length === 0) return { findings: nothing }
  const answers = await chain.read(asks.map(({ read }) => read))
  if (answers.every((answer) => answer === undefined)) {
    const message = `${venue.factory} does not answer as a factory of the kind ${venue.kind}.`
    const faults: Fault[] = [{ code: 'WRONG_FACTORY', at: `${at}.factory`, message }]
    return { findings: { ...nothing, faults } }
  }
  const named = asks.flatMap((ask, index) => {
    const pool = addressIn(answers[index])
    return pool ? [{ ...ask, pool }] : []
  })
  const [first] = named
  if (first === undefined) {
    const why = 'The factory has no pool of two connector tokens, so nothing could be derived.'
    return { findings: { ...nothing, unchecked: [{ at, why }] } }
  }
  const wrong = named.find(
    ({ key, pair, pool }) => !isAddressEqual(derivePool(venue, pair, key) ?? venue.factory, pool),
  )
  if (wrong === undefined)
    return { findings: { ...nothing, confirmed: named.length }, pool: first.pool }
  const derived = derivePool(venue, wrong.pair, wrong.key)
  const message = `The factory's pool is ${wrong.pool}, but the config derives ${derived}. Check the factory, the deployer and the initCodeHash.`
  const faults: Fault[] = [{ code: 'WRONG_POOL_ADDRESS', at: `${at}.initCodeHash`, message }]
  return { findings: { ...nothing, faults }, pool: first.pool }
}

const nothing: ConfigFindings = { faults: [], unchecked: [], confirmed: 0 }

/** Pairs of the factory's own first pools, if it counts them. */
async function firstPairs(chain: Chain, venue: VenueEntry): Promise<readonly TokenPair[]> {
  const count = readOfCount(venue)
  if (count === undefined) return []
  const places = [0n, 1n].map((place) => readOfPlace(venue, place))
  const pools = (await chain.read(places)).flatMap((answer) => addressIn(answer) ?? [])
  const answers = await chain.read(
    pools.flatMap((to) => [
      { to, data: token0 },
      { to, data: token1 },
    ]),
  )
  return pools.flatMap((_, index): TokenPair[] => {
    const [a, b] = [addressIn(answers[2 * index]), addressIn(answers[2 * index + 1])]
    return a && b ? [[a, b]] : []
  })
}

/** Looks for the callback in the pool's code, and at the word that says that it is not locked. */
async function checkPool(
  chain: Chain,
  venue: VenueEntry,
  { at, pool }: { at: string; pool: Address },
): Promise<ConfigFindings> {
  const faults: Fault[] = []
  const unchecked: Unchecked[] = []
  let confirmed = 0
  if (venue.callback !== noCallback) {
    const code = await codeOf(chain, pool)
    if (code?.includes(venue.callback.slice(2))) confirmed++
    else
      faults.push({
        code: 'WRONG_CALLBACK',
        at: `${at}.callback`,
        message: `The code of the pool ${pool} does not call ${venue.callback}.`,
      })
  }
  const lock = readOfLock(venue.kind, pool)
  if (lock !== undefined) {
    const [answer] = await chain.read([lock])
    if (numberIn(answer, venue.unlockedWord) === 1n) confirmed++
    else
      faults.push({
        code: 'WRONG_LOCK',
        at: `${at}.unlockedWord`,
        message: `Word ${venue.unlockedWord} of the state of the pool ${pool} does not say that it is unlocked.`,
      })
  }
  return { faults, unchecked, confirmed }
}

/** Code of a contract; of the other one if it is a clone. */
async function codeOf(chain: Chain, address: Address): Promise<Hex | undefined> {
  const [code] = await chain.code([address])
  const [head, tail] = cloneParts
  if (!code?.startsWith(head) || !code.includes(tail)) return code
  const implementation: Address = `0x${code.slice(head.length, head.length + 40)}`
  return (await chain.code([implementation]))[0]
}
