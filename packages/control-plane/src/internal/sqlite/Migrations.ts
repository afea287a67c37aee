/**
 * The schema as a list of records, each applied once, in order. A released record is never edited: what changes is a
 * new record at the end.
 */

export interface Migration {
  /** 1, 2, 3, …: the schema version that it leads to. */
  readonly version: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

export const migrations: ReadonlyArray<Migration> = [
  {
    version: 1,
    name: "first schema",
    statements: [
      `CREATE TABLE schema_migrations (
        version INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        applied_at INTEGER NOT NULL
      ) STRICT`,

      // Processes that use the store. `fence` grows with every registration; what a host wrote names its fence.
      `CREATE TABLE hosts (
        id TEXT PRIMARY KEY,
        fence INTEGER NOT NULL UNIQUE,
        boot TEXT NOT NULL,
        namespace TEXT NOT NULL,
        pid INTEGER NOT NULL,
        started TEXT NOT NULL,
        registered_at INTEGER NOT NULL,
        renewed_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        ended_at INTEGER,
        ended_by TEXT
      ) STRICT`,
      `CREATE INDEX hosts_live ON hosts (id) WHERE ended_at IS NULL`,

      // One holder of a named thing at a time. A lease holds as long as its host does.
      `CREATE TABLE leases (
        resource TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        fence INTEGER NOT NULL,
        acquired_at INTEGER NOT NULL,
        released_at INTEGER
      ) STRICT`,

      `CREATE TABLE principals (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER
      ) STRICT`,

      // The owner leads every key, and no index has an id alone: with one, SQLite would find a foreign row and then
      // refuse it, which takes longer than finding none. kind: 'normal', or 'legacy_local' where the owner is unknown.
      `CREATE TABLE sessions (
        owner TEXT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('normal', 'legacy_local')),
        title TEXT NOT NULL,
        core_root TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        ended_at INTEGER,
        PRIMARY KEY (owner, id)
      ) STRICT`,
      `CREATE INDEX sessions_recent ON sessions (owner, updated_at)`,
      `CREATE INDEX sessions_recent_all ON sessions (updated_at) WHERE kind = 'normal'`,
      `CREATE INDEX sessions_legacy ON sessions (id) WHERE kind = 'legacy_local'`,
      `CREATE TRIGGER sessions_owner_is_fixed BEFORE UPDATE OF owner ON sessions
        WHEN OLD.kind <> 'legacy_local'
        BEGIN SELECT RAISE(ABORT, 'the owner of a session cannot be changed'); END`,

      // scope: two search terms made of owner and of session, so that the index itself keeps to them.
      `CREATE TABLE messages (
        position INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        session TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        data TEXT NOT NULL,
        scope TEXT NOT NULL,
        at INTEGER NOT NULL,
        UNIQUE (owner, session, sequence),
        FOREIGN KEY (owner, session) REFERENCES sessions (owner, id) ON UPDATE CASCADE ON DELETE CASCADE
      ) STRICT`,
      `CREATE VIRTUAL TABLE message_search USING fts5 (
        text, scope, content = 'messages', content_rowid = 'position',
        tokenize = "unicode61 remove_diacritics 2"
      )`,
      `CREATE TRIGGER messages_inserted AFTER INSERT ON messages BEGIN
        INSERT INTO message_search (rowid, text, scope) VALUES (NEW.position, NEW.text, NEW.scope);
      END`,
      `CREATE TRIGGER messages_deleted AFTER DELETE ON messages BEGIN
        INSERT INTO message_search (message_search, rowid, text, scope)
        VALUES ('delete', OLD.position, OLD.text, OLD.scope);
      END`,
      `CREATE TRIGGER messages_scope_changed AFTER UPDATE OF scope ON messages BEGIN
        INSERT INTO message_search (message_search, rowid, text, scope)
        VALUES ('delete', OLD.position, OLD.text, OLD.scope);
        INSERT INTO message_search (rowid, text, scope) VALUES (NEW.position, NEW.text, NEW.scope);
      END`,

      // Intents and outcomes. settled_at is null between them; recovered says that another host wrote the end.
      `CREATE TABLE effects (
        position INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        call TEXT NOT NULL,
        session TEXT NOT NULL,
        turn TEXT NOT NULL,
        host TEXT NOT NULL,
        tool TEXT NOT NULL,
        provenance TEXT,
        catalog TEXT,
        entry TEXT,
        core_revision TEXT NOT NULL,
        capability TEXT,
        action TEXT,
        target TEXT,
        risk TEXT,
        read_only INTEGER NOT NULL,
        write_scope TEXT,
        request TEXT,
        begun_at INTEGER,
        settled_at INTEGER,
        status TEXT,
        execution_started INTEGER NOT NULL,
        may_have_happened INTEGER NOT NULL,
        error TEXT,
        stages TEXT,
        view TEXT,
        recovered INTEGER NOT NULL,
        UNIQUE (owner, call)
      ) STRICT`,
      `CREATE INDEX effects_open ON effects (host) WHERE settled_at IS NULL`,
      `CREATE UNIQUE INDEX effects_write_scope ON effects (write_scope)
        WHERE settled_at IS NULL AND write_scope IS NOT NULL`,
      `CREATE INDEX effects_owner ON effects (owner, position)`,

      `CREATE TABLE approvals (
        owner TEXT NOT NULL,
        id TEXT NOT NULL,
        session TEXT NOT NULL,
        record TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        deadline INTEGER NOT NULL,
        answer TEXT,
        answered_by TEXT,
        answered_at INTEGER,
        PRIMARY KEY (owner, id)
      ) STRICT`,
      `CREATE INDEX approvals_open ON approvals (owner, created_at) WHERE answer IS NULL`,

      // ended_at is null while a task is active. completion: 'none', 'pending' (ended, not yet delivered), 'consumed'.
      `CREATE TABLE tasks (
        owner TEXT NOT NULL,
        id TEXT NOT NULL,
        session TEXT NOT NULL,
        turn TEXT,
        kind TEXT NOT NULL,
        tool TEXT NOT NULL,
        status TEXT NOT NULL,
        summary TEXT NOT NULL,
        write_scope TEXT NOT NULL,
        metadata TEXT NOT NULL,
        result_reference TEXT,
        return_code INTEGER,
        exit_reason TEXT,
        completion TEXT NOT NULL,
        host TEXT NOT NULL,
        fence INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        cancel_requested_at INTEGER,
        ended_at INTEGER,
        PRIMARY KEY (owner, id)
      ) STRICT`,
      `CREATE UNIQUE INDEX tasks_write_scope ON tasks (write_scope) WHERE ended_at IS NULL AND write_scope <> ''`,
      `CREATE INDEX tasks_session ON tasks (owner, session, created_at)`,
      `CREATE INDEX tasks_recent ON tasks (owner, created_at)`,
      `CREATE INDEX tasks_recent_all ON tasks (created_at)`,
      `CREATE INDEX tasks_pending ON tasks (owner, session) WHERE completion = 'pending'`,
      `CREATE INDEX tasks_open ON tasks (host) WHERE ended_at IS NULL`,

      // Chunks of at most 8 KiB; first_line counts the lines before this chunk, so that the oldest can go by number.
      `CREATE TABLE task_logs (
        owner TEXT NOT NULL,
        task TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        stream TEXT NOT NULL,
        text TEXT NOT NULL,
        first_line INTEGER NOT NULL,
        lines INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (owner, task, sequence),
        FOREIGN KEY (owner, task) REFERENCES tasks (owner, id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID`,

      // One chain over all events. The one row of event_chain knows its end, and where retention has cut its start.
      `CREATE TABLE events (
        position INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        turn TEXT,
        call TEXT,
        type TEXT NOT NULL,
        at INTEGER NOT NULL,
        data TEXT NOT NULL,
        hash TEXT NOT NULL
      ) STRICT`,
      `CREATE INDEX events_session ON events (session, position)`,
      `CREATE TABLE event_chain (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        start_position INTEGER NOT NULL,
        start_hash TEXT NOT NULL,
        end_position INTEGER NOT NULL,
        end_hash TEXT NOT NULL
      ) STRICT`,
      `INSERT INTO event_chain VALUES (1, 0, '${"0".repeat(64)}', 0, '${"0".repeat(64)}')`,
      // Last number of a session whose events retention took away, so that its numbers go on.
      `CREATE TABLE event_streams (session TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT`
    ]
  }
]

/** The version that this Gatehouse writes. */
export const schemaVersion = migrations.length
