/** One change of a file, whose path is relative to `contracts/src`. `from` must occur exactly once. */
export type Bug = {
  readonly file: string
  readonly from: string
  readonly to: string
  /** Description, if the change does not explain itself. */
  readonly name?: string | undefined
  /** Test files to run first. */
  readonly narrow?: readonly string[] | undefined
}

/** Bugs in files that some test files must cover. */
export type Planting = {
  readonly set: string
  /** Test files, relative to `contracts/test`. */
  readonly suites: readonly string[]
  readonly bugs: readonly Bug[]
}

/** Bugs of one file, as pairs of old and new text. */
export function bugsOf(
  file: string,
  changes: readonly (readonly [string, string])[],
  name?: string,
  narrow?: readonly string[],
): Bug[] {
  return changes.map(([from, to]) => ({ file, from, to, name, narrow }))
}
