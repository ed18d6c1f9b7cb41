import type Database from 'libsql'
import { pendingOf, type Schema, versions } from './Schema.js'

/**
 * Runs the pending migrations. Does not lock a database that is up to date, so a process can open a file that another
 * one writes.
 *
 * @throws NewerSchemaError if a newer program made the database.
 */
export function migrateLibsql(database: Database.Database, schema: Schema): void {
  database.exec(versions.create)
  if (pendingOf(schema, versionOf(database, schema)).length === 0) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Read the version again under the lock: another process may have migrated first.
    for (const text of pendingOf(schema, versionOf(database, schema))) database.exec(text)
    database.prepare(versions.write).run([schema.name, schema.migrations.length])
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function versionOf(database: Database.Database, { name }: Schema): number {
  const row = database.prepare(versions.read).get([name]) as { version: number } | undefined
  return row?.version ?? 0
}
