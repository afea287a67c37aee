/**
 * Brings a store to the schema of this Gatehouse. All that is missing is applied in one transaction, so that an
 * interrupted migration has changed nothing; two hosts that start at once apply it once. Throws.
 */
import { integer } from "../../Row.ts"
import { statement } from "../../Statement.ts"
import { newerSchema, olderSchema } from "../StoreFaults.ts"
import type { Connection } from "./Connection.boundary.ts"
import { migrations, schemaVersion } from "./Migrations.ts"

/** Applies what is missing, or refuses a schema that is newer than ours. `now` is kept with each record. */
export const migrate = (connection: Connection, now: number): void => {
  const found = versionOf(connection)
  if (found > schemaVersion) throw newerSchema(connection.path, found, schemaVersion)
  if (found === schemaVersion) return
  connection.execute("BEGIN IMMEDIATE")
  try {
    const current = versionOf(connection)
    for (const migration of migrations.slice(current)) {
      for (const sql of migration.statements) connection.execute(sql)
      connection.all(insertRecord(migration.version, migration.name, now))
    }
    connection.execute(`PRAGMA user_version = ${Math.max(current, schemaVersion)}`)
    connection.execute("COMMIT")
  } catch (error) {
    if (connection.inTransaction()) connection.execute("ROLLBACK")
    throw error
  }
}

/** Refuses every schema but ours. */
export const requireCurrent = (connection: Connection): void => {
  const found = versionOf(connection)
  if (found > schemaVersion) throw newerSchema(connection.path, found, schemaVersion)
  if (found < schemaVersion) throw olderSchema(connection.path, found, schemaVersion)
}

/** The schema version of a store; 0 where it is new. */
const versionOf = (connection: Connection): number => {
  const [row] = connection.all(selectVersion())
  return row === undefined ? 0 : integer(row, "user_version")
}

const selectVersion = statement("PRAGMA user_version")
const insertRecord = statement("INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)")
