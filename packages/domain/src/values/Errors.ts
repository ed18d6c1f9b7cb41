/** Base class of every error that this repository throws on purpose. */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  /** Stable code for programs. The message is for people. */
  readonly code: string
  /** More information and what to do next, one line each. */
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
