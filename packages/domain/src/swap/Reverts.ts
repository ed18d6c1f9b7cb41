import { errorsAbi } from '@sluice/abi'
import { type Abi, decodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { knownErrors, knownReasons, type Origin, type RevertFacts } from './knownReverts.js'

export type { Origin, RevertFacts } from './knownReverts.js'
export { knownErrors as byOrigin, knownReasons as reasons } from './knownReverts.js'

/** Why a call reverted. */
export type Revert = {
  /** Name of the error; `Error` for a plain text, `Panic` for a fault of arithmetic, else "an unknown error". */
  readonly name: string
  readonly args: readonly unknown[]
  readonly data: Hex
  /** Whose error it is, if it is known. */
  readonly origin?: Origin | undefined
  /** What it means, if it is known. */
  readonly meaning?: string | undefined
  /** What to do next, if it is known. */
  readonly advice?: string | undefined
  /** The revert that this one carries: a token's own reason inside the error of whoever called the token. */
  readonly cause?: Revert | undefined
}

type AbiError = Extract<Abi[number], { type: 'error' }>

type Entry = RevertFacts & { readonly origin: Origin }

const entries: readonly Entry[] = Object.entries(knownErrors).flatMap(([origin, list]) =>
  list.map((facts) => ({ ...facts, origin: origin as Origin })),
)

const abiOf = ({ signature }: RevertFacts) =>
  parseAbi([`error ${signature}`] as never) as AbiError[]

/** Place among the arguments of the errors that carry another revert's data. */
const reasonAt: Readonly<Record<string, number>> = { WrappedError: 2, TransferRefused: 1 }

/** Errors within errors that are read; a hostile contract may nest more. */
const maxDepth = 3

const bySelector: ReadonlyMap<string, Entry> = new Map(
  entries.map((entry) => [selectorOf(abiOf(entry)[0]!), entry]),
)
const byReason = new Map(knownReasons.map((facts) => [facts.reason, facts]))

/** Errors with which others can end a swap: those of tokens, venues, Permit2 and the libraries of the contracts. */
export const foreignAbi: readonly AbiError[] = withoutRepeated(
  entries.flatMap(abiOf),
  new Set(errorsAbi.map((item) => selectorOf(item as unknown as AbiError))),
)

/** Every error that a call of ours can end with. */
export const abi: readonly AbiError[] = [...(errorsAbi as unknown as AbiError[]), ...foreignAbi]

const names: ReadonlyMap<string, string> = new Map(abi.map((item) => [selectorOf(item), item.name]))

/** Name of the error in revert data; `undefined` for a plain text or an error that is not known. */
export function nameOf(data: unknown): string | undefined {
  return typeof data === 'string' ? names.get(data.slice(0, 10).toLowerCase()) : undefined
}

/** Reads revert data. Whatever a stranger's contract put there stays in `args`; nothing of it is believed. */
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

/** First four bytes of the error's data. */
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
