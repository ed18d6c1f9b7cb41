import type { Mutant } from './mutantsOf.js'

/** Mutants that no test can detect, or that no test has to detect: file, old text, new text and reason. */
const justified: readonly (readonly [file: string, from: string, to: string, why: string])[] = []

/** Returns why a mutant may survive. */
export function reasonFor({ file, from, to }: Pick<Mutant, 'file' | 'from' | 'to'>): string {
  const found = justified.find((each) => each[0] === file && each[1] === from && each[2] === to)
  return found?.[3] ?? 'NOT JUSTIFIED'
}
