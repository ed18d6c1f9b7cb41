import { BaseError } from '@sluice/domain'

/** A problem with one environment variable, without its value. */
export type ConfigProblem = {
  readonly variable: string
  /** Completes a sentence that begins with the variable's name. */
  readonly reason: string
}

/** Thrown if environment variables are missing or invalid. Names all of them. */
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
