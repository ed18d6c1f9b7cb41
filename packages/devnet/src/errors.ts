/** The devnet cannot start. */
export class DevnetError extends Error {
  override readonly name = 'DevnetError'
  constructor(
    readonly code:
      | 'ANVIL_FAILED'
      | 'ANVIL_MISSING'
      | 'EDR_MISSING'
      | 'FORK_FAILED'
      | 'GETH_FAILED'
      | 'GETH_MISSING'
      | 'PORT_TAKEN'
      | 'PORT_UNUSABLE'
      | 'SEEDING_FAILED'
      | 'BAD_OPTION',
    message: string,
  ) {
    super(message)
  }
}
