import { VenueKind } from '@sluice/domain'
import { type Address, type Hex, isHex, pad, toFunctionSelector, zeroHash } from 'viem'
import { address, bad, hash, integer, list, members, refuseRepeated, text } from './members.js'

/** A venue of a config file with its defaults filled in. */
export type VenueEntry = {
  readonly id: string
  readonly kind: VenueKind.Name
  readonly factory: Address
  /** Contract that creates the pools by CREATE2; for Uniswap V4 the PoolManager. */
  readonly deployer: Address
  /** Hash of the pools' creation code; for Uniswap V4 the address of the wrapped native token, padded to 32 bytes. */
  readonly initCodeHash: Hex
  /** Fee of every pool in pips; zero if the tier determines it or it is read from the pool. */
  readonly feePips: number
  readonly tiers: readonly VenueTier[]
  /** Selector of the pools' callback; zero if they have none. */
  readonly callback: Hex
  /** Index of the "not locked" word of `slot0()` or `globalState()`; zero if there is none. */
  readonly unlockedWord: number
}

/** `Tier` of the contracts. */
export type VenueTier = {
  readonly key: bigint
  readonly feePips: number
  readonly tickSpacing: number
}

type Shared = Pick<VenueEntry, 'id' | 'kind' | 'factory'>
type Own = Omit<VenueEntry, keyof Shared>
type Entry = {
  /** The venue's members, checked to be ones that its kind allows. */
  venue: Record<string, unknown>
  factory: Address
  wrappedNative: Address
  path: string
}
type Kind = { readonly optional: readonly string[]; readonly read: (entry: Entry) => Own }

const wholePips = 1_000_000
const noCallback: Hex = '0x00000000'
const maxTickSpacing = 32_767

/** For each kind: the members that its venues may set besides `id`, `kind` and `factory`, and how to read them. */
const derivedKinds: Readonly<Record<VenueKind.With<'derived'>, Kind>> = {
  uniswapV2: {
    optional: ['deployer', 'initCodeHash', 'feePips'],
    read: (entry) => {
      const { feePips = 3_000 } = entry.venue
      const pips = integer(feePips, `${entry.path}.feePips`, 0, wholePips - 1)
      return {
        ...creation(entry, '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'),
        feePips: pips,
        tiers: [{ key: 0n, feePips: pips, tickSpacing: 0 }],
        callback: noCallback,
        unlockedWord: 0,
      }
    },
  },
  uniswapV3: {
    optional: ['deployer', 'initCodeHash', 'tiers', 'callback', 'unlockedWord'],
    read: (entry) => ({
      ...creation(entry, '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'),
      feePips: 0,
      tiers: readTiers(entry, { required: ['fee', 'tickSpacing'], defaults: uniswapTiers }).map(
        ({ fee, tickSpacing }) => ({ key: BigInt(fee), feePips: fee, tickSpacing }),
      ),
      callback: callbackSelector(entry, 'uniswapV3SwapCallback'),
      // After sqrtPriceX96, tick, three observation words and feeProtocol.
      unlockedWord: unlockedWord(entry, 6),
    }),
  },
  slipstream: {
    optional: ['deployer', 'initCodeHash', 'tiers', 'callback', 'unlockedWord'],
    read: (entry) => ({
      // No default: each factory clones its own implementation.
      ...creation(entry, undefined),
      feePips: 0,
      tiers: readTiers(entry, { required: ['tickSpacing'], defaults: slipstreamTiers }).map(
        ({ tickSpacing }) => ({ key: BigInt(tickSpacing), feePips: 0, tickSpacing }),
      ),
      callback: callbackSelector(entry, 'uniswapV3SwapCallback'),
      unlockedWord: unlockedWord(entry, 5),
    }),
  },
  algebra: {
    optional: ['deployer', 'initCodeHash', 'callback', 'unlockedWord'],
    read: (entry) => ({
      ...creation(entry, undefined),
      feePips: 0,
      tiers: [{ key: 0n, feePips: 0, tickSpacing: 0 }],
      callback: callbackSelector(entry, 'algebraSwapCallback'),
      // 7 is Algebra 1.9 with a fee for each direction, 5 is Integral.
      unlockedWord: unlockedWord(entry, 7),
    }),
  },
  uniswapV4: {
    optional: ['tiers'],
    read: (entry) => ({
      deployer: entry.factory,
      initCodeHash: pad(entry.wrappedNative),
      feePips: 0,
      tiers: readTiers(entry, {
        required: ['fee', 'tickSpacing'],
        optional: ['native', 'hooks'],
        defaults: uniswapV4Tiers,
      }).map(({ fee, tickSpacing, native, hooks }) => ({
        key: uniswapV4Key({ fee, tickSpacing, native, hooks }),
        feePips: fee === dynamicFee ? 0 : fee,
        tickSpacing,
      })),
      callback: toFunctionSelector('unlockCallback(bytes)'),
      unlockedWord: 0,
    }),
  },
  solidly: {
    optional: ['deployer', 'initCodeHash'],
    read: (entry) => ({
      // No default: each factory clones its own implementation.
      ...creation(entry, undefined),
      feePips: 0,
      // The volatile pool and the stable one.
      tiers: [0n, 1n].map((key) => ({ key, feePips: 0, tickSpacing: 0 })),
      callback: noCallback,
      unlockedWord: 0,
    }),
  },
}

const listedKind: Kind = { optional: ['deployer'], read: listed }

const uniswapTiers = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3_000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
]
const slipstreamTiers = [1, 50, 100, 200, 2_000].map((tickSpacing) => ({ tickSpacing }))
/** Each fee twice: with the wrapped native token, and with the native currency in its place. */
const uniswapV4Tiers = [false, true].flatMap((native) =>
  uniswapTiers.map((tier) => ({ ...tier, native })),
)
/** Uniswap V4's flag for a fee that the hooks set. */
const dynamicFee = 0x800000

/**
 * Reads one venue of a config file.
 *
 * @throws DeployError `BAD_CONFIG`, naming the member.
 */
export function parseVenue(
  value: unknown,
  { path, wrappedNative }: { path: string; wrappedNative: Address },
): VenueEntry {
  const kind = kindOf(value, path)
  const { optional, read } = VenueKind.has(kind, 'derived') ? derivedKinds[kind] : listedKind
  const venue = members(value, path, { required: ['id', 'kind', 'factory'], optional })
  const id = venueId(venue['id'], `${path}.id`)
  const factory = address(venue['factory'], `${path}.factory`)
  const own = read({ venue, factory, wrappedNative, path })
  refuseRepeated(
    own.tiers.map(({ key }) => String(key)),
    `${path}.tiers`,
  )
  return { id, kind, factory, ...own }
}

/** Key of a leg on Uniswap V4: selects one pool of two tokens. See the contract `UniswapV4`. */
export function uniswapV4Key({
  fee,
  tickSpacing,
  native = false,
  hooks = '0x0',
}: {
  fee: number
  tickSpacing: number
  native?: boolean | undefined
  hooks?: Hex | undefined
}): bigint {
  return (
    BigInt(fee) | (BigInt(tickSpacing) << 24n) | (BigInt(native) << 47n) | (BigInt(hooks) << 48n)
  )
}

/** Reads a venue whose pools are listed individually. For Balancer, `deployer` is the Vault. */
function listed({ venue, factory, path }: Entry): Own {
  const { deployer } = venue
  return {
    deployer: deployer === undefined ? factory : address(deployer, `${path}.deployer`),
    initCodeHash: zeroHash,
    feePips: 0,
    tiers: [],
    callback: noCallback,
    unlockedWord: 0,
  }
}

function creation(
  { venue, factory, path }: Entry,
  defaultHash: Hex | undefined,
): Pick<VenueEntry, 'deployer' | 'initCodeHash'> {
  const { deployer, initCodeHash = defaultHash } = venue
  if (initCodeHash === undefined) throw bad(path, 'lacks "initCodeHash"')
  return {
    deployer: deployer === undefined ? factory : address(deployer, `${path}.deployer`),
    initCodeHash: hash(initCodeHash, `${path}.initCodeHash`),
  }
}

function readTiers(
  { venue, path }: Entry,
  {
    required,
    optional = [],
    defaults,
  }: { required: readonly string[]; optional?: readonly string[]; defaults: readonly object[] },
) {
  const { tiers = defaults } = venue
  const read = list(tiers, `${path}.tiers`).map((entry, index) => {
    const at = `${path}.tiers[${index}]`
    const tier = members(entry, at, { required, optional })
    const { fee = 0, native = false, hooks } = tier
    if (typeof native !== 'boolean') throw bad(`${at}.native`, 'must be true or false')
    return {
      fee: fee === dynamicFee && hooks ? dynamicFee : integer(fee, `${at}.fee`, 0, wholePips - 1),
      tickSpacing: integer(tier['tickSpacing'], `${at}.tickSpacing`, 1, maxTickSpacing),
      native,
      hooks: hooks === undefined ? undefined : address(hooks, `${at}.hooks`),
    }
  })
  if (read.length === 0) throw bad(`${path}.tiers`, 'must contain at least one tier')
  return read
}

function kindOf(value: unknown, path: string): VenueKind.Name {
  const kind = (value as { kind?: unknown } | null)?.kind
  if (!VenueKind.isName(kind))
    throw bad(`${path}.kind`, `must be one of ${VenueKind.names.join(', ')}`)
  return kind
}

/** Reads a selector, or the name of a function with the arguments of Uniswap V3's callback. */
function callbackSelector({ venue, path }: Entry, defaultName: string): Hex {
  const { callback = defaultName } = venue
  const name = text(callback, `${path}.callback`)
  if (isHex(name)) {
    if (name.length !== 10 || name === noCallback)
      throw bad(`${path}.callback`, 'must be a 4-byte selector')
    return name.toLowerCase() as Hex
  }
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name))
    throw bad(`${path}.callback`, 'must be a function name or a 4-byte selector')
  return toFunctionSelector(`${name}(int256,int256,bytes)`)
}

function unlockedWord({ venue, path }: Entry, defaultWord: number): number {
  const { unlockedWord = defaultWord } = venue
  return integer(unlockedWord, `${path}.unlockedWord`, 1, 7)
}

function venueId(value: unknown, path: string): string {
  const id = text(value, path)
  // The Hub stores it as bytes32.
  if (!/^[\x21-\x7e]{1,32}$/.test(id)) throw bad(path, 'must be 1 to 32 ASCII characters')
  return id
}
