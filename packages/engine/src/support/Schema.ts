import { BaseError } from '@sluice/domain'

/**
 * Tables of a database and their migrations. A released migration never changes: append a new one.
 *
 * Migrations run in order, each once, all in one transaction. The first one must accept the tables of programs without
 * a schema version, so it uses `IF NOT EXISTS`.
 */
export type Schema = {
  /** Key of this schema's version. A database can hold several schemas. */
  readonly name: string
  /** Statements of each migration; the first entry leads to version 1. */
  readonly migrations: readonly (readonly string[])[]
}

/** Statements for the version table, valid in SQLite and Postgres. */
export const versions = {
  create:
    'CREATE TABLE IF NOT EXISTS schema_versions (name TEXT PRIMARY KEY, version BIGINT NOT NULL)',
  read: 'SELECT version FROM schema_versions WHERE name = $1',
  write: `INSERT INTO schema_versions (name, version) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET version = excluded.version`,
} as const

/**
 * Returns the statements that bring a database up to date.
 *
 * @param version Version of the database; 0 if it has none.
 * @throws NewerSchemaError if a newer program made the database.
 */
export function pendingOf({ migrations, name }: Schema, version: number): readonly string[] {
  if (version > migrations.length)
    throw new NewerSchemaError({ name, version, newest: migrations.length })
  return migrations.slice(version).flat()
}

/** Thrown if a newer version of this program created the database's tables. */
export class NewerSchemaError extends BaseError {
  override readonly name = 'Schema.NewerSchemaError'
  constructor({ name, newest, version }: { name: string; version: number; newest: number }) {
    super(
      `The database has version ${version} of the schema "${name}"; this program supports up to ${newest}.`,
      {
        code: 'newer_schema',
        metaMessages: ['Run the newer program, or use another database: the index is rebuilt.'],
      },
    )
  }
}
