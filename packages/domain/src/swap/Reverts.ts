import { errorsAbi } from '@sluice/abi'
import { type Abi, decodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { knownErrors, knownReasons, type Origin, type RevertFacts } from './knownReverts.js'

export type { Origin, RevertFacts } from './knownReverts.js'
export { knownErrors as byOrigin, knownReasons as reasons } from './knownReverts.js'

/** Why a call reverted. */
export type Revert = {
  /** Name of the error: `Error` for a revert text, `Panic` for a Solidity panic, "an unknown error" if it is unknown. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
  /** Kind of contract that declares the error, if known. */
  readonly origin?: Origin | undefined
  /** Meaning of the error, if known. */
  readonly meaning?: string | undefined
  /** What to do next, if known. */
  readonly advice?: string | undefined
  /** The revert inside this one, such as a token's own error inside the error of the contract that called it. */
  readonly cause?: Revert | undefined
}

type AbiError = Extract<Abi[number], { type: 'error' }>

type Entry = RevertFacts & { readonly origin: Origin }

const entries: readonly Entry[] = Object.entries(knownErrors).flatMap(([origin, list]) =>
  list.map((facts) => ({ ...facts, origin: origin as Origin })),
)

const abiOf = ({ signature }: RevertFacts) =>
  parseAbi([`error ${signature}`] as never) as AbiError[]

/** For errors that contain the data of another revert: the index of that argument. */
const reasonAt: Readonly<Record<string, number>> = { WrappedError: 2, TransferRefused: 1 }

/** Maximum depth of nested errors that are read. A hostile contract may nest more. */
const maxDepth = 3

const bySelector: ReadonlyMap<string, Entry> = new Map(
  entries.map((entry) => [selectorOf(abiOf(entry)[0]!), entry]),
)
const byReason = new Map(knownReasons.map((facts) => [facts.reason, facts]))

/** Errors of other contracts that can end a swap: tokens, venues, Permit2 and libraries. */
export const foreignAbi: readonly AbiError[] = withoutRepeated(
  entries.flatMap(abiOf),
  new Set(errorsAbi.map((item) => selectorOf(item as unknown as AbiError))),
)

/** Every known error that can end a call to the protocol. */
export const abi: readonly AbiError[] = [...(errorsAbi as unknown as AbiError[]), ...foreignAbi]

const names: ReadonlyMap<string, string> = new Map(abi.map((item) => [selectorOf(item), item.name]))

/** Name of the error in revert data; `undefined` for a revert text or an unknown error. */
export function nameOf(data: unknown): string | undefined {
  return typeof data === 'string' ? names.get(data.slice(0, 10).toLowerCase()) : undefined
}

/** Decodes revert data. `args` are untrusted: any contract can write them. */
export function read(data: Hex, depth = 0): Revert {
  const decoded = tryDecode(data)
  if (decoded === undefined) return { name: 'an unknown error', args: [], data }
  const { args, name } = decoded
  const revert = { name, args, data, ...factsOf(name, args, data) }
  const inner = args[reasonAt[name] ?? -1]
  if (typeof inner !== 'string' || inner.length < 10 || depth === maxDepth) return revert
  return { ...revert, cause: read(inner as Hex, depth + 1) }
}

function tryDecode(data: Hex): { name: string; args: readonly unknown[] } | undefined {
  try {
    const { args, errorName } = decodeErrorResult({ abi, data })
    return { name: errorName, args: (args ?? []) as readonly unknown[] }
  } catch {
    return undefined
  }
}

function factsOf(name: string, args: readonly unknown[], data: Hex): Partial<Revert> {
  if (name === 'Error') {
    const known = byReason.get(String(args[0]))
    return known === undefined ? {} : { meaning: known.meaning, advice: known.advice }
  }
  const known = bySelector.get(data.slice(0, 10).toLowerCase())
  if (known === undefined) return {}
  const { advice, meaning, origin } = known
  return { origin, meaning, advice }
}

/** Whether an ABI item is an error. */
export function isError(item: { readonly type: string }): item is AbiError {
  return item.type === 'error'
}

/** Selector of an error: the first four bytes of its data. */
export function selectorOf({ inputs, name }: AbiError): Hex {
  return toFunctionSelector(`${name}(${inputs.map(({ type }) => type).join()})`)
}

function withoutRepeated(items: readonly AbiError[], seen: Set<Hex>): readonly AbiError[] {
  return items.filter((item) => {
    const selector = selectorOf(item)
    if (seen.has(selector)) return false
    seen.add(selector)
    return true
  })
}
