import { BaseError } from '@sluice/domain'

export type Value = string | number | null

export type Statement = {
  /** Places of values are `$1`, `$2`, …, which first appear in their order. */
  readonly text: string
  readonly values: readonly Value[]
  /** The transaction is given up if the statement changes another number of rows. */
  readonly mustChange?: number
}

export type Row = Readonly<Record<string, unknown>>

/** A database, as far as one set of queries goes that embedded and remote ones both run. */
export type Sql = {
  /** Several reads of one state. */
  readonly read: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>
  /**
   * Runs all statements or none.
   *
   * @returns Whether they were run; false if one of them changed another number of rows than it must.
   */
  readonly write: (statements: readonly Statement[]) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** Thrown inside a transaction to give it up: a statement changed another number of rows than it must. */
export class UnchangedError extends BaseError {
  override readonly name = 'Sql.UnchangedError'
  constructor() {
    super('A statement did not change what it must.', { code: 'unchanged' })
  }
}
