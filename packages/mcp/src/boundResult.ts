import { z } from 'zod'
import { ToolError } from './ToolError.js'

/** Maximum length of a tool's result, in characters of JSON: what a model can read beside its other work. */
export const maxResultLength = 40_000

/** What was left out of a result, and how to get it. */
export const omitted = z
  .array(
    z.object({
      member: z.string().describe('Member of the result, with the number of parts left out.'),
      count: z.number().int(),
      how: z.string().describe('How to get it.'),
    }),
  )
  .describe('Parts that were left out, because the result was too long. Absent if it is whole.')

type Result = Record<string, unknown>

/** A part that can be left out of a result. */
export type Cut = {
  /** Name for the reader. */
  readonly member: string
  /** How to get what was left out. */
  readonly how: string
  /** @returns The result without some of the part, and how much was left out; `undefined` if there is no more of it. */
  readonly cut: (result: Result) => { readonly result: Result; readonly count: number } | undefined
}

/**
 * Leaves parts out of a result until it is short enough, and says which.
 *
 * @throws ToolError if it is too long even then.
 */
export function boundResult(whole: Result, cuts: readonly Cut[]): Result {
  let result = whole
  const left = new Map<Cut, number>()
  for (const each of cuts) {
    for (;;) {
      if (lengthOf(withOmitted(result, left)) <= maxResultLength) return withOmitted(result, left)
      const next = each.cut(result)
      if (next === undefined) break
      result = next.result
      left.set(each, (left.get(each) ?? 0) + next.count)
    }
  }
  const bounded = withOmitted(result, left)
  const length = lengthOf(bounded)
  if (length <= maxResultLength) return bounded
  throw new ToolError({
    code: 'too_large',
    error: `The result has ${length} characters; the maximum is ${maxResultLength}.`,
    retryable: false,
    suggestion: 'Ask for less: fewer items, or no `explain`.',
  })
}

function withOmitted(result: Result, left: ReadonlyMap<Cut, number>): Result {
  if (left.size === 0) return result
  const parts = [...left].map(([{ how, member }, count]) => ({ member, count, how }))
  return { ...result, omitted: parts }
}

function lengthOf(result: Result): number {
  return JSON.stringify(result).length
}

/** Halves the list at a path of member names; removes what is left of a single element. */
export function halving(path: readonly string[], how: string): Cut {
  return {
    member: path.join('.'),
    how,
    cut(result) {
      const list = path.reduce<unknown>((at, name) => (at as Result | undefined)?.[name], result)
      if (!Array.isArray(list) || list.length === 0) return undefined
      const kept = list.slice(0, Math.floor(list.length / 2))
      return { result: replaced(result, path, kept), count: list.length - kept.length }
    },
  }
}

/** Removes the member at a path of names. */
export function removing(path: readonly string[], how: string): Cut {
  return {
    member: path.join('.'),
    how,
    cut(result) {
      const value = path.reduce<unknown>((at, name) => (at as Result | undefined)?.[name], result)
      return value === undefined ? undefined : { result: replaced(result, path), count: 1 }
    },
  }
}

/** A copy with another value at a path, or without it. */
function replaced(result: Result, [name, ...rest]: readonly string[], value?: unknown): Result {
  const { [name!]: old, ...others } = result
  if (rest.length > 0) return { ...result, [name!]: replaced(old as Result, rest, value) }
  return value === undefined ? others : { ...result, [name!]: value }
}
