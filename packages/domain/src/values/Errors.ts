/** Parent of every error that this repository throws on purpose. */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  /** Stable, for programs; the message is for people. */
  readonly code: string
  /** What to know or to do next, a line each. */
  readonly metaMessages: readonly string[]

  constructor(shortMessage: string, options: BaseError.Options) {
    const { cause, code, metaMessages = [] } = options
    super([shortMessage, ...metaMessages].join('\n'), cause === undefined ? {} : { cause })
    this.code = code
    this.metaMessages = metaMessages
  }
}

export declare namespace BaseError {
  type Options = {
    code: string
    cause?: unknown
    metaMessages?: readonly string[] | undefined
  }
}
