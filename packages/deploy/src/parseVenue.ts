import { Adapters, VenueKind } from '@sluice/domain'
import { type Address, type Hex, isHex, toFunctionSelector, zeroHash } from 'viem'
import { z } from 'zod'
import { address, hash, integer, refuse, text } from './schemas.js'

/** A venue of a config file with its defaults filled in. */
export type VenueEntry = {
  readonly id: string
  readonly kind: VenueKind.Name
  readonly factory: Address
  /** Adapter of this repository that is deployed for the venue, if it has one. */
  readonly adapter?: Adapters.Name | undefined
  /** Contract that creates the pools by CREATE2; for Uniswap V4 the PoolManager; or the adapter. */
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

const wholePips = 1_000_000
const noCallback: Hex = '0x00000000'
const maxTickSpacing = 32_767
/** Uniswap V4's flag for a fee that the hooks set. */
const dynamicFee = 0x800000

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
const pips = integer(0, wholePips - 1)
const tickSpacing = integer(1, maxTickSpacing)
const plainTier = { key: 0n, feePips: 0, tickSpacing: 0 }

/** The Hub stores it as bytes32. */
const id = text.regex(/^[\x21-\x7e]{1,32}$/, 'must be 1 to 32 ASCII characters')

/** Members of every venue. */
const shared = { id, factory: address }

/** The pools' creator and creation code. No default for the code if each factory clones its own implementation. */
const cloned = { deployer: address.optional(), initCodeHash: hash }
const created = (defaultHash: Hex) => ({ ...cloned, initCodeHash: hash.default(defaultHash) })

/** A selector, or the name of a function with the arguments of Uniswap V3's callback. */
const callback = (defaultName: string) =>
  text.default(defaultName).transform((name, context): Hex => {
    if (isHex(name)) {
      if (name.length === 10 && name !== noCallback) return name.toLowerCase() as Hex
      return refuse(context, name, 'must be a 4-byte selector')
    }
    if (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name))
      return toFunctionSelector(`${name}(int256,int256,bytes)`)
    return refuse(context, name, 'must be a function name or a 4-byte selector')
  })

const unlockedWord = (defaultWord: number) => integer(1, 7).default(defaultWord)

function tiersOf<schema extends z.ZodType>(tier: schema, defaults: z.output<schema>[]) {
  return z.array(tier).min(1, 'must contain at least one tier').default(defaults)
}

const v4Tier = z
  .strictObject({
    fee: integer(0, dynamicFee),
    tickSpacing,
    native: z.boolean('must be true or false').default(false),
    hooks: address.optional(),
  })
  .superRefine(({ fee, hooks }, context) => {
    const isAllowed = fee < wholePips || (fee === dynamicFee && hooks !== undefined)
    if (!isAllowed) refuse(context, fee, `must be an integer from 0 to ${wholePips - 1}`, ['fee'])
  })

/** For each kind with derived pools: the members that its venues may set, and how to read them. */
const derivedKinds = {
  uniswapV2: z
    .strictObject({
      ...shared,
      kind: z.literal('uniswapV2'),
      ...created('0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'),
      feePips: pips.default(3_000),
    })
    .transform((venue) => ({
      ...venue,
      tiers: [{ ...plainTier, feePips: venue.feePips }],
      callback: noCallback,
      unlockedWord: 0,
    })),
  uniswapV3: z
    .strictObject({
      ...shared,
      kind: z.literal('uniswapV3'),
      ...created('0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'),
      tiers: tiersOf(z.strictObject({ fee: pips, tickSpacing }), uniswapTiers),
      callback: callback('uniswapV3SwapCallback'),
      // After sqrtPriceX96, tick, three observation words and feeProtocol.
      unlockedWord: unlockedWord(6),
    })
    .transform((venue) => ({
      ...venue,
      feePips: 0,
      tiers: venue.tiers.map((tier) => ({
        key: BigInt(tier.fee),
        feePips: tier.fee,
        tickSpacing: tier.tickSpacing,
      })),
    })),
  slipstream: z
    .strictObject({
      ...shared,
      kind: z.literal('slipstream'),
      ...cloned,
      tiers: tiersOf(z.strictObject({ tickSpacing }), slipstreamTiers),
      callback: callback('uniswapV3SwapCallback'),
      unlockedWord: unlockedWord(5),
    })
    .transform((venue) => ({
      ...venue,
      feePips: 0,
      tiers: venue.tiers.map((tier) => ({ ...plainTier, ...tier, key: BigInt(tier.tickSpacing) })),
    })),
  algebra: z
    .strictObject({
      ...shared,
      kind: z.literal('algebra'),
      ...cloned,
      callback: callback('algebraSwapCallback'),
      // 7 is Algebra 1.9 with a fee for each direction, 5 is Integral.
      unlockedWord: unlockedWord(7),
    })
    .transform((venue) => ({ ...venue, feePips: 0, tiers: [plainTier] })),
  uniswapV4: z
    .strictObject({
      ...shared,
      kind: z.literal('uniswapV4'),
      tiers: tiersOf(v4Tier, uniswapV4Tiers),
    })
    .transform((venue) => ({
      ...venue,
      deployer: venue.factory,
      // `parseChainConfig` replaces it: only the whole config has the wrapped native token.
      initCodeHash: zeroHash,
      feePips: 0,
      tiers: venue.tiers.map((tier) => ({
        key: uniswapV4Key(tier),
        feePips: tier.fee === dynamicFee ? 0 : tier.fee,
        tickSpacing: tier.tickSpacing,
      })),
      callback: toFunctionSelector('unlockCallback(bytes)'),
      unlockedWord: 0,
    })),
  solidly: z
    .strictObject({ ...shared, kind: z.literal('solidly'), ...cloned })
    .transform((venue) => ({
      ...venue,
      feePips: 0,
      // The volatile pool and the stable one.
      tiers: [0n, 1n].map((key) => ({ ...plainTier, key })),
      callback: noCallback,
      unlockedWord: 0,
    })),
} satisfies Record<VenueKind.With<'derived'>, z.ZodType>

/** What a venue has whose pools the Hub cannot derive. */
const underived = {
  initCodeHash: zeroHash,
  feePips: 0,
  tiers: [],
  callback: noCallback,
  unlockedWord: 0,
} as const

/** Kinds whose pools are listed individually. For Balancer, `deployer` is the Vault. */
const listedKind = z
  .strictObject({
    ...shared,
    kind: z.literal(VenueKind.names.filter((name) => VenueKind.has(name, 'listed'))),
    deployer: address.optional(),
  })
  .transform((venue) => ({ ...venue, ...underived }))

/**
 * Kinds whose pools an adapter knows, and `factory` is the registry that it asks. The adapter is one of this repository
 * (`adapter`), or any contract (`deployer`).
 */
const attestedKind = z
  .strictObject({
    ...shared,
    kind: z.literal(VenueKind.names.filter((name) => VenueKind.has(name, 'attested'))),
    adapter: z.enum(Adapters.names, `must be one of ${Adapters.names.join(', ')}`).optional(),
    deployer: address.optional(),
  })
  .superRefine(({ adapter, deployer }, context) => {
    if ((adapter === undefined) === (deployer === undefined))
      refuse(context, adapter, 'must have either "adapter" or "deployer"')
  })
  .transform((venue) => ({ ...venue, ...underived }))

/** Schema of one venue. For Uniswap V4, `parseChainConfig` fills in `initCodeHash`. */
export const venueSchema = z
  .discriminatedUnion('kind', [listedKind, attestedKind, ...Object.values(derivedKinds)], {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of ${VenueKind.names.join(', ')}` : undefined,
  })
  .transform((venue): VenueEntry => ({ ...venue, deployer: venue.deployer ?? venue.factory }))
  .superRefine(({ tiers }, context) => {
    const keys = tiers.map(({ key }) => String(key))
    const repeated = keys.find((key, index) => keys.indexOf(key) !== index)
    if (repeated !== undefined) refuse(context, tiers, `contains ${repeated} twice`, ['tiers'])
  })

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
