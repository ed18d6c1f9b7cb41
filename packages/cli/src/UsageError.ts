/** Thrown when the command line itself is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}
