import { BaseError } from '@sluice/domain'

/** What is wrong with one environment variable; never its value. */
export type ConfigProblem = {
  readonly variable: string
  /** Continues a sentence that begins with the name. */
  readonly reason: string
}

/** Thrown when environment variables are missing or wrong. Names all of them. */
export class InvalidConfigError extends BaseError {
  override readonly name = 'InvalidConfigError'
  /** @param problems At least one. */
  constructor(problems: readonly ConfigProblem[], cause?: unknown) {
    const [first = '', ...others] = problems.map(
      ({ reason, variable }) => `Environment variable ${variable} ${reason}.`,
    )
    super(first, { code: 'invalid_config', cause, metaMessages: others })
  }
}
