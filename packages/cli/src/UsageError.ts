/** Thrown if the command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}
