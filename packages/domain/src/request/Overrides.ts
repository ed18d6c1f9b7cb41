import type { Address, Hex } from 'viem'
import type { ServedChain } from '../registry/ServedChain.js'
import * as Addresses from '../values/Addresses.js'

/** Maximum number of accounts that a request may change. */
export const maxAccounts = 32
/** Maximum number of storage slots that a request may change, in all accounts together. */
export const maxSlots = 256

/**
 * Changes to the chain's state that a quote is computed on: balances of native coin, and single storage slots. In the form of
 * the third parameter of an `eth_call`, normalized: addresses with their checksum, ascending; slots ascending; numbers in
 * lower case.
 */
export type Overrides = {
  readonly [address: Address]: {
    /** Native coin in wei, as a JSON-RPC quantity. */
    readonly balance?: Hex
    /** Replaces these slots only. Slots and values have 32 bytes. */
    readonly stateDiff?: { readonly [slot: Hex]: Hex }
  }
}

type Account = Overrides[Address]
type Read<value> =
  | { readonly ok: true; readonly value: value }
  | { readonly ok: false; readonly reason: string }

/** What an answer says about the changes that it was computed with. */
export type Summary = {
  readonly accounts: number
  readonly slots: number
  /** SHA-256 of the normalized JSON. */
  readonly digest: Hex
}

/** Why a JSON text is not a state that can be quoted on; `undefined` if it is one. */
export function problemOf(text: string): string | undefined {
  const read = readText(text)
  return read.ok ? undefined : read.reason
}

/** Parses a text that `problemOf` accepted, and normalizes it. */
export function parse(text: string): Overrides {
  const read = readText(text)
  if (!read.ok) throw new Error('overrides were not checked before their use')
  return read.value
}

/** Normalized JSON without spaces. Equal changes have equal texts. */
export function textOf(overrides: Overrides): string {
  return JSON.stringify(overrides)
}

/**
 * Counts the changes and computes their digest.
 *
 * @param hash SHA-256 of an ASCII string.
 */
export function summaryOf(overrides: Overrides, hash: (text: string) => Hex): Summary {
  const accounts = Object.values(overrides)
  return {
    accounts: accounts.length,
    slots: accounts.reduce((sum, { stateDiff = {} }) => sum + Object.keys(stateDiff).length, 0),
    digest: hash(textOf(overrides)),
  }
}

/**
 * Why a chain's quotes cannot be computed on these changes; `undefined` if they can. Contracts of the protocol compute the
 * quote, so nobody may change them; the same holds for what the chain itself provides.
 */
export function conflictOf(chain: ServedChain, overrides: Overrides): string | undefined {
  const own = protocolOf(chain)
  for (const address of Object.keys(overrides)) {
    if (BigInt(address) <= lastSystemAddress)
      return `must not change ${address}: precompiled contracts and contracts of the chain itself stay as they are`
    if (own.has(address.toLowerCase()))
      return `must not change ${address}: it is a contract of the protocol, which computes the quote`
  }
  return undefined
}

/** Addresses up to this one belong to the chain: precompiled contracts, such as ArbSys, which tells the block on Arbitrum. */
const lastSystemAddress = 0xffffn

/** Contracts of the protocol in lower case, by chain. Without adapters that are deployed: they have no storage. */
const protocols = new WeakMap<ServedChain, ReadonlySet<string>>()

function protocolOf(chain: ServedChain): ReadonlySet<string> {
  const known = protocols.get(chain)
  if (known !== undefined) return known
  const { contracts, stateOverride = {}, versions } = chain
  const deployed = [contracts, ...Object.values(versions)].flatMap((each) => Object.values(each))
  const addresses = [...deployed, ...Object.keys(stateOverride)]
  const own = new Set(addresses.map((address) => address.toLowerCase()))
  protocols.set(chain, own)
  return own
}

const shape =
  'must be a JSON object by address: {"0x…":{"balance":"0x…","stateDiff":{"0x…":"0x…"}}}'

function readText(text: string): Read<Overrides> {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return refused(shape)
  }
  if (!isRecord(given)) return refused(shape)
  const entries = Object.entries(given)
  if (entries.length === 0) return refused('must change at least one account')
  if (entries.length > maxAccounts)
    return refused(`changes ${entries.length} accounts; the maximum is ${maxAccounts}`)
  const accounts = new Map<Address, Account>()
  let slots = 0
  for (const [name, value] of entries) {
    const parsed = Addresses.parse(name)
    if (!parsed.ok)
      return refused(`has an account whose address ${parsed.reason}: ${shownAddress(name)}`)
    const { address } = parsed
    if (accounts.has(address)) return refused(`names ${address} twice`)
    const account = readAccount(address, value)
    if (!account.ok) return account
    slots += Object.keys(account.value.stateDiff ?? {}).length
    if (slots > maxSlots) return refused(`changes more than ${maxSlots} storage slots`)
    accounts.set(address, account.value)
  }
  return { ok: true, value: sorted(accounts) }
}

function readAccount(address: Address, value: unknown): Read<Account> {
  if (!isRecord(value)) return refused(`must have an object for ${address}: ${shape.slice(8)}`)
  const member = Object.keys(value).find((each) => each !== 'balance' && each !== 'stateDiff')
  if (member !== undefined) return refused(memberProblem(address, member))
  const { balance, stateDiff } = value
  if (balance === undefined && stateDiff === undefined)
    return refused(
      `changes nothing of ${address}; send \`balance\` or \`stateDiff\`, or leave it out`,
    )
  const isQuantity = typeof balance === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(balance)
  if (balance !== undefined && !isQuantity)
    return refused(`has a \`balance\` of ${address} that is not 0x and up to 64 hexadecimal digits`)
  const words = stateDiff === undefined ? undefined : readWords(address, stateDiff)
  if (words?.ok === false) return words
  return {
    ok: true,
    value: {
      ...(isQuantity && { balance: `0x${BigInt(balance).toString(16)}` }),
      ...(words && { stateDiff: words.value }),
    },
  }
}

function readWords(address: Address, value: unknown): Read<NonNullable<Account['stateDiff']>> {
  if (!isRecord(value) || Object.keys(value).length === 0)
    return refused(`must have an object of slots and values in \`stateDiff\` of ${address}`)
  const words = new Map<Hex, Hex>()
  for (const [slot, word] of Object.entries(value)) {
    if (!isWord(slot) || !isWord(word))
      return refused(
        `has a slot or a value of ${address} that is not 0x and 64 hexadecimal digits; pad it on the left`,
      )
    const key = slot.toLowerCase() as Hex
    if (words.has(key)) return refused(`names slot ${key} of ${address} twice`)
    words.set(key, word.toLowerCase() as Hex)
  }
  return { ok: true, value: sorted(words) }
}

/** Members of `eth_call` that are refused on purpose, and why. */
const reasons: Readonly<Record<string, string>> = {
  code: 'code stays that of the chain',
  state: 'send the slots that change in `stateDiff`',
  nonce: 'it changes no quote; leave it out',
  movePrecompileToAddress: 'code stays that of the chain',
}

function memberProblem(address: Address, member: string): string {
  const name = /^[\x21-\x7e]{1,32}$/.test(member) ? member : 'unknown'
  const why = Object.hasOwn(reasons, name) ? reasons[name] : 'send `balance` or `stateDiff`'
  return `has a member of ${address} that is not accepted, \`${name}\`: ${why}`
}

/** A malformed address, if it is safe to repeat. */
function shownAddress(name: string): string {
  return /^[A-Za-z0-9]{1,42}$/.test(name) ? `"${name}"` : 'it has other characters, or too many'
}

/** Entries in ascending order of their keys, ignoring case. */
function sorted<key extends string, value>(
  entries: ReadonlyMap<key, value>,
): { readonly [each in key]: value } {
  const placed = [...entries].map(([key, value]) => ({ place: key.toLowerCase(), key, value }))
  placed.sort((a, b) => (a.place < b.place ? -1 : 1))
  return Object.fromEntries(placed.map(({ key, value }) => [key, value])) as {
    readonly [each in key]: value
  }
}

function isWord(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason }
}
