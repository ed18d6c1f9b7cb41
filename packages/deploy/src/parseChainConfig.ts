import { type Address, getAddress, type Hex, isAddress, isHex, toFunctionSelector } from 'viem'
import { DeployError } from './errors.js'

/** What a chain's Hub is wired with; the content of a config file with its defaults filled in. */
export type ChainConfig = {
  readonly chainId: number
  readonly name: string
  readonly wrappedNative: Address
  readonly usdc: Address
  /** The protocol's token, where the chain has it. */
  readonly slu: Address | null
  /** Null: the deployer. */
  readonly feeRecipient: Address | null
  readonly blockTimeMs: number
  readonly connectorTokens: readonly Address[]
  readonly venues: readonly VenueEntry[]
}

export type VenueEntry = {
  readonly id: string
  readonly kind: VenueKindName
  readonly factory: Address
  /** Who creates the pools by CREATE2. */
  readonly deployer: Address
  readonly initCodeHash: Hex
  /** Fee of every pool in pips; zero where the tier is the fee. */
  readonly feePips: number
  readonly tiers: readonly { readonly fee: number; readonly tickSpacing: number }[]
  /** Selector that the pools call back; zero where they do not. */
  readonly callback: Hex
  /** Index of the "not locked" word of `slot0()`; zero where there is none. */
  readonly unlockedWord: number
}

export type VenueKindName = 'uniswapV2' | 'uniswapV3'

const defaults = {
  blockTimeMs: 2_000,
  initCodeHash: {
    uniswapV2: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
    uniswapV3: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
  },
  feePips: 3_000,
  tiers: [
    { fee: 100, tickSpacing: 1 },
    { fee: 500, tickSpacing: 10 },
    { fee: 3_000, tickSpacing: 60 },
    { fee: 10_000, tickSpacing: 200 },
  ],
  callback: 'uniswapV3SwapCallback',
  /** After sqrtPriceX96, tick, three observation words and feeProtocol. */
  unlockedWord: 6,
} as const

const wholePips = 1_000_000
const noCallback: Hex = '0x00000000'

/**
 * Checks the content of a config file and fills in the defaults. Unknown members are refused, because one is most
 * likely a misspelt option that would silently not apply.
 *
 * @throws DeployError `BAD_CONFIG`, naming the member.
 */
export function parseChainConfig(value: unknown): ChainConfig {
  const config = members(value, 'config', {
    required: ['chainId', 'wrappedNative', 'usdc', 'connectorTokens', 'venues'],
    optional: ['name', 'slu', 'feeRecipient', 'blockTimeMs'],
  })
  const chainId = integer(config['chainId'], 'chainId', 1, Number.MAX_SAFE_INTEGER)
  const venues = list(config['venues'], 'venues').map((entry, index) =>
    parseVenue(entry, `venues[${index}]`),
  )
  const connectorTokens = list(config['connectorTokens'], 'connectorTokens').map((entry, index) =>
    token(entry, `connectorTokens[${index}]`),
  )
  refuseRepeated(connectorTokens, 'connectorTokens')
  refuseRepeated(
    venues.map(({ id }) => id),
    'venues',
  )
  return {
    chainId,
    name: config['name'] === undefined ? `Chain ${chainId}` : text(config['name'], 'name'),
    wrappedNative: token(config['wrappedNative'], 'wrappedNative'),
    usdc: token(config['usdc'], 'usdc'),
    slu: config['slu'] == null ? null : token(config['slu'], 'slu'),
    feeRecipient:
      config['feeRecipient'] == null ? null : address(config['feeRecipient'], 'feeRecipient'),
    blockTimeMs:
      config['blockTimeMs'] === undefined
        ? defaults.blockTimeMs
        : integer(config['blockTimeMs'], 'blockTimeMs', 1, 3_600_000),
    connectorTokens,
    venues,
  }
}

function parseVenue(value: unknown, path: string): VenueEntry {
  const kind = kindOf(value, path)
  const venue = members(value, path, {
    required: ['id', 'kind', 'factory'],
    optional: [
      'deployer',
      'initCodeHash',
      ...(kind === 'uniswapV2' ? ['feePips'] : ['tiers', 'callback', 'unlockedWord']),
    ],
  })
  const factory = address(venue['factory'], `${path}.factory`)
  const shared = {
    id: venueId(venue['id'], `${path}.id`),
    kind,
    factory,
    deployer:
      venue['deployer'] === undefined ? factory : address(venue['deployer'], `${path}.deployer`),
    initCodeHash:
      venue['initCodeHash'] === undefined
        ? defaults.initCodeHash[kind]
        : hash(venue['initCodeHash'], `${path}.initCodeHash`),
  }
  if (kind === 'uniswapV2') {
    const { feePips = defaults.feePips } = venue
    const pips = integer(feePips, `${path}.feePips`, 0, wholePips - 1)
    return { ...shared, feePips: pips, tiers: [], callback: noCallback, unlockedWord: 0 }
  }
  const { tiers = defaults.tiers, callback = defaults.callback } = venue
  const { unlockedWord = defaults.unlockedWord } = venue
  return {
    ...shared,
    feePips: 0,
    tiers: parseTiers(tiers, `${path}.tiers`),
    callback: callbackSelector(callback, `${path}.callback`),
    unlockedWord: integer(unlockedWord, `${path}.unlockedWord`, 1, 6),
  }
}

function parseTiers(value: unknown, path: string): VenueEntry['tiers'] {
  const tiers = list(value, path).map((entry, index) => {
    const at = `${path}[${index}]`
    const tier = members(entry, at, { required: ['fee', 'tickSpacing'], optional: [] })
    return {
      fee: integer(tier['fee'], `${at}.fee`, 0, wholePips - 1),
      tickSpacing: integer(tier['tickSpacing'], `${at}.tickSpacing`, 1, 32_767),
    }
  })
  if (tiers.length === 0) throw bad(path, 'must name at least one tier')
  refuseRepeated(
    tiers.map(({ fee }) => String(fee)),
    path,
  )
  return tiers
}

function kindOf(value: unknown, path: string): VenueKindName {
  const kind = (value as { kind?: unknown } | null)?.kind
  if (kind !== 'uniswapV2' && kind !== 'uniswapV3')
    throw bad(`${path}.kind`, 'must be "uniswapV2" or "uniswapV3"')
  return kind
}

/** A function's name, whose arguments are those of Uniswap V3's callback, or a selector. */
function callbackSelector(value: unknown, path: string): Hex {
  const name = text(value, path)
  if (isHex(name)) {
    if (name.length !== 10 || name === noCallback) throw bad(path, 'must be a 4-byte selector')
    return name.toLowerCase() as Hex
  }
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name))
    throw bad(path, 'must be a function name or a 4-byte selector')
  return toFunctionSelector(`${name}(int256,int256,bytes)`)
}

function venueId(value: unknown, path: string): string {
  const id = text(value, path)
  // It becomes a bytes32.
  if (!/^[\x21-\x7e]{1,32}$/.test(id)) throw bad(path, 'must be 1 to 32 ASCII characters')
  return id
}

/** An address, or `{symbol, address}` whose symbol is for the reader. */
function token(value: unknown, path: string): Address {
  if (typeof value !== 'object') return address(value, path)
  const named = members(value, path, { required: ['symbol', 'address'], optional: [] })
  text(named['symbol'], `${path}.symbol`)
  return address(named['address'], `${path}.address`)
}

function address(value: unknown, path: string): Address {
  const candidate = text(value, path)
  // In one case there is no checksum to be wrong.
  const plain = /^0x[0-9a-f]{40}$|^0x[0-9A-F]{40}$/.test(candidate)
  if (!isAddress(candidate, { strict: !plain }))
    throw bad(path, 'must be an address with a right checksum')
  if (/^0x0{40}$/.test(candidate)) throw bad(path, 'must not be the zero address')
  return getAddress(candidate)
}

function hash(value: unknown, path: string): Hex {
  const candidate = text(value, path)
  if (!/^0x[0-9a-fA-F]{64}$/.test(candidate)) throw bad(path, 'must be 32 bytes in hex')
  return candidate.toLowerCase() as Hex
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw bad(path, 'must be a text')
  return value
}

function integer(value: unknown, path: string, low: number, high: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < low || value > high)
    throw bad(path, `must be an integer from ${low} to ${high}`)
  return value
}

function list(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw bad(path, 'must be a list')
  return value
}

function members(
  value: unknown,
  path: string,
  { required, optional }: { required: readonly string[]; optional: readonly string[] },
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(path, 'must be an object')
  const found = value as Record<string, unknown>
  const missing = required.find((name) => found[name] === undefined)
  if (missing) throw bad(path, `lacks "${missing}"`)
  const unknown = Object.keys(found).find((name) => ![...required, ...optional].includes(name))
  if (unknown) throw bad(path, `has the unknown member "${unknown}"`)
  return found
}

function refuseRepeated(values: readonly string[], path: string) {
  const repeated = values.find((value, index) => values.indexOf(value) !== index)
  if (repeated !== undefined) throw bad(path, `names ${repeated} twice`)
}

function bad(path: string, reason: string): DeployError {
  return new DeployError('BAD_CONFIG', `Chain config: ${path} ${reason}.`)
}
