/** The command line of the check is invalid. */
export class WrongFlagError extends Error {
  override readonly name = 'WrongFlagError'
  constructor(reason: string) {
    super(`${reason.replace(/\.?$/, '.')} See sluice check --help.`)
  }
}
