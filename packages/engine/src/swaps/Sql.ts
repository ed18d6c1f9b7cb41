import { BaseError } from '@sluice/domain'

export type Value = string | number | null

export type Statement = {
  /** Placeholders are `$1`, `$2`, … and must first appear in this order. */
  readonly text: string
  readonly values: readonly Value[]
  /** Number of rows that the statement must change; otherwise the transaction is rolled back. */
  readonly mustChange?: number
}

export type Row = Readonly<Record<string, unknown>>

/** The operations that embedded and remote databases share. */
export type Sql = {
  /** Runs several reads on one snapshot. */
  readonly read: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>
  /**
   * Runs all statements or none.
   *
   * @returns False if a statement did not change the required number of rows.
   */
  readonly write: (statements: readonly Statement[]) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** Thrown inside a transaction to roll it back: a statement did not change the required number of rows. */
export class UnchangedError extends BaseError {
  override readonly name = 'Sql.UnchangedError'
  constructor() {
    super('A statement did not change the required number of rows.', { code: 'unchanged' })
  }
}
