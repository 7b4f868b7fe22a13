/** `TENO`: tells our files from other programs' (https://sqlite.org/fileformat.html#application_id). */
export const APPLICATION_ID = 0x54454e4f

/**
 * One entry a version of the file, never changed once released. `PRAGMA user_version` counts how many were applied.
 *
 * - `journal`: an append is a row, so that it costs one statement whatever it holds. `place` is run key and first seq
 *   in one integer (see `journalPlace`): a second b-tree for a unique index would double the pages of each commit.
 *   Each row carries the run's totals up to its end, for the same reason.
 * - `runs`: what the list shows, written in the transaction of the append that changes the state or an open request.
 *   Times and totals of a run at work stand in its last row of the journal.
 * - `inputs`: requests that are open, over all runs.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE runs (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    goal TEXT NOT NULL,
    context TEXT NOT NULL,
    parent TEXT,
    principal TEXT,
    depth INTEGER NOT NULL,
    state TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    ended INTEGER,
    turns INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0,
    open_inputs INTEGER NOT NULL DEFAULT 0,
    error_code TEXT
  ) STRICT;
  CREATE INDEX runs_by_state ON runs (state, key);
  CREATE INDEX runs_by_context ON runs (context, key);
  CREATE INDEX runs_by_parent ON runs (parent, key) WHERE parent IS NOT NULL;
  CREATE INDEX runs_by_principal ON runs (principal, key) WHERE principal IS NOT NULL;
  CREATE INDEX runs_unfinished ON runs (key) WHERE ended IS NULL;
  CREATE INDEX runs_ended ON runs (ended) WHERE ended IS NOT NULL;

  CREATE TABLE journal (
    place INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    at INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE inputs (
    run INTEGER NOT NULL,
    request TEXT NOT NULL,
    asked INTEGER NOT NULL,
    expires INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (run, request)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run, id)
  ) STRICT;

  CREATE TABLE leases (
    run TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE grants (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    tool TEXT NOT NULL,
    expires INTEGER,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX grants_by_tool ON grants (tool, number);

  CREATE TABLE artifacts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    created INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE artifact_runs (
    artifact TEXT NOT NULL,
    run TEXT NOT NULL,
    PRIMARY KEY (artifact, run)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX artifact_runs_by_run ON artifact_runs (run);
  `,
  `
  CREATE INDEX runs_by_change ON runs (principal, agent, updated, key, state, context) WHERE parent IS NULL;
  CREATE INDEX runs_open ON runs (principal) WHERE ended IS NULL;

  CREATE TABLE push_targets (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    host TEXT NOT NULL,
    seq INTEGER NOT NULL,
    part INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    UNIQUE (run, id)
  ) STRICT;
  CREATE INDEX push_targets_due ON push_targets (due) WHERE done = 0;

  CREATE TABLE push_dead (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    target TEXT NOT NULL,
    seq INTEGER NOT NULL,
    part INTEGER NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;

  CREATE TABLE send_keys (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    run TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE INDEX runs_counted ON runs (principal, agent, state) WHERE parent IS NULL;
  `,
  // Each index is a page more in the commits that begin and end a run: a run without an owner has two of its own.
  // `IF EXISTS`: for an hour the second version was made without `runs_open`.
  `
  DROP INDEX IF EXISTS runs_unfinished;
  DROP INDEX IF EXISTS runs_open;
  DROP INDEX IF EXISTS runs_by_change;
  DROP INDEX IF EXISTS runs_counted;
  CREATE INDEX runs_by_change ON runs (principal, agent, updated, key, state, context)
    WHERE parent IS NULL AND principal IS NOT NULL;
  CREATE INDEX runs_counted ON runs (principal, state, agent) WHERE parent IS NULL AND principal IS NOT NULL;
  `,
]
