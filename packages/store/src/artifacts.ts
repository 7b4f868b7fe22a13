import { createHash } from 'node:crypto'
import { ArtifactId, type ArtifactMeta, type Artifacts, KernelError, type RunId } from '@tenon/kernel'
import type { ArtifactFiles } from './artifact-files.js'
import type { Connection } from './connection.js'
import { StoreError } from './errors.js'

/** The artifacts of this store: its methods answer at once. */
export interface SqliteArtifacts extends Artifacts {
  put(
    bytes: Uint8Array,
    meta: { readonly name: string; readonly mediaType: string; readonly runId: RunId },
  ): ArtifactMeta
  meta(artifactId: ArtifactId): ArtifactMeta | undefined
  share(from: RunId, to: RunId): void
  /** Whether a run of this principal refers to it; of anybody, where no principal is given. */
  isKeptFor(artifactId: ArtifactId, principal?: string): boolean
  /** @throws KernelError `artifact-unknown`, StoreError `artifact-damaged` */
  read(artifactId: ArtifactId, offset: number, length: number): Uint8Array
}

type Row = { readonly name: string; readonly media_type: string; readonly bytes: number }

export function sqliteArtifacts(connection: Connection, files: ArtifactFiles): SqliteArtifacts {
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO artifacts (id, name, media_type, bytes, created) VALUES (?, ?, ?, ?, ?)',
  )
  const refer = connection.prepare('INSERT OR IGNORE INTO artifact_runs (artifact, run) VALUES (?, ?)')
  const select = connection.prepare<Row>('SELECT name, media_type, bytes FROM artifacts WHERE id = ?')

  const copyReferences = connection.prepare(
    'INSERT OR IGNORE INTO artifact_runs (artifact, run) SELECT artifact, ?2 FROM artifact_runs WHERE run = ?1',
  )
  const selectKept = connection.prepare(
    `SELECT 1 FROM artifact_runs JOIN runs ON runs.id = artifact_runs.run
     WHERE artifact = ?1 AND (?2 IS NULL OR runs.principal = ?2) LIMIT 1`,
  )

  function keep(artifactId: ArtifactId, bytes: Uint8Array): void {
    if (files.size(artifactId) !== bytes.byteLength) files.write(artifactId, bytes)
  }

  return {
    put(bytes, { name, mediaType, runId }) {
      const artifactId = ArtifactId(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      connection.syncCommits(false)
      keep(artifactId, bytes)
      connection.transaction(() => {
        insert.run(artifactId, name, mediaType, bytes.byteLength, Date.now())
        refer.run(artifactId, runId)
      })
      // Retention in another process may have taken the file before the reference stood; now it stands.
      keep(artifactId, bytes)
      return { artifactId, name, mediaType, bytes: bytes.byteLength }
    },

    meta(artifactId) {
      const row = select.get(artifactId)
      return row && { artifactId, name: row.name, mediaType: row.media_type, bytes: row.bytes }
    },

    share: (from, to) => void copyReferences.run(from, to),

    isKeptFor: (artifactId, principal) => selectKept.get(artifactId, principal ?? null) !== undefined,

    read(artifactId, offset, length) {
      // Asked first: a handle may be a model's invention, and only what the table holds becomes a path.
      const row = select.get(artifactId)
      if (row === undefined)
        throw new KernelError('artifact-unknown', `No artifact ${artifactId} is kept. Check the handle.`)
      if (files.size(artifactId) !== row.bytes)
        throw new StoreError(
          'artifact-damaged',
          `The file of artifact ${artifactId} is gone or incomplete. Make it again, or restore it from a backup.`,
        )
      return files.read(artifactId, offset, Math.max(0, Math.min(length, row.bytes - offset)))
    },
  }
}
