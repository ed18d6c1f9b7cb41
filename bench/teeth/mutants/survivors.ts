import type { Mutant } from './mutantsOf.js'

/** Mutants that no test can turn red, or need not, and why: a part of the file's name, and of what it changes. */
const justified: readonly (readonly [file: string, from: string, to: string, why: string])[] = []

/** Why a mutant may survive. */
export function reasonFor({ file, from, to }: Pick<Mutant, 'file' | 'from' | 'to'>): string {
  const found = justified.find((each) => each[0] === file && each[1] === from && each[2] === to)
  return found?.[3] ?? 'NOT JUSTIFIED'
}
