/** One change: `from` stands exactly once in the file, which is named from `contracts/src`. */
export type Bug = {
  readonly file: string
  readonly from: string
  readonly to: string
  /** What it does, if the change alone does not say. */
  readonly name?: string | undefined
  /** Suites that are asked first. */
  readonly narrow?: readonly string[] | undefined
}

/** Bugs in what some suites answer for. */
export type Planting = {
  readonly set: string
  /** Test files, named from `contracts/test`. */
  readonly suites: readonly string[]
  readonly bugs: readonly Bug[]
}

/** Bugs of one file, as pairs of what stands there and what takes its place. */
export function bugsOf(
  file: string,
  changes: readonly (readonly [string, string])[],
  name?: string,
  narrow?: readonly string[],
): Bug[] {
  return changes.map(([from, to]) => ({ file, from, to, name, narrow }))
}
