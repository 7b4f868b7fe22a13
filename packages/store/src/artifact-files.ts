import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ArtifactId } from '@tenon/kernel'
import { storeFailure } from './failure.js'

const PENDING = '.pending-'
const PENDING_LIFE_MS = 24 * 60 * 60 * 1000

/** Immutable files named by the digest of their bytes, `ab/cdef…`, so that no folder grows too large. */
export type ArtifactFiles = {
  pathOf(artifactId: ArtifactId): string
  /** Length of the file, undefined if there is none. */
  size(artifactId: ArtifactId): number | undefined
  write(artifactId: ArtifactId, bytes: Uint8Array): void
  read(artifactId: ArtifactId, offset: number, length: number): Uint8Array
  remove(artifactId: ArtifactId): void
  /** Removes what writers that died left behind. */
  sweep(): void
}

export function artifactFiles(folder: string, sync: boolean): ArtifactFiles {
  let pending = 0

  const pathOf = (artifactId: ArtifactId): string => {
    const digest = artifactId.slice('sha256:'.length)
    return join(folder, digest.slice(0, 2), digest.slice(2))
  }

  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (cause) {
      throw storeFailure(cause)
    }
  }

  return {
    pathOf,

    size: (artifactId) =>
      attempt(() => {
        try {
          const stat = statSync(pathOf(artifactId))
          return stat.isFile() ? stat.size : undefined
        } catch (thrown) {
          if (isAbsence(thrown)) return undefined
          throw thrown
        }
      }),

    write(artifactId, bytes) {
      const path = pathOf(artifactId)
      const parent = dirname(path)
      const temporary = join(parent, `${PENDING}${process.pid}-${Date.now()}-${pending++}`)
      attempt(() => {
        mkdirSync(parent, { recursive: true, mode: 0o700 })
        try {
          writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600, flush: sync })
          renameSync(temporary, path)
        } catch (thrown) {
          rmSync(temporary, { force: true })
          throw thrown
        }
        if (sync && process.platform !== 'win32') syncFolder(parent)
      })
    },

    read: (artifactId, offset, length) =>
      attempt(() => {
        const descriptor = openSync(pathOf(artifactId), 'r')
        try {
          const bytes = new Uint8Array(length)
          let filled = 0
          while (filled < length) {
            const count = readSync(descriptor, bytes, filled, length - filled, offset + filled)
            if (count === 0) break
            filled += count
          }
          return bytes.subarray(0, filled)
        } finally {
          closeSync(descriptor)
        }
      }),

    remove: (artifactId) =>
      attempt(() => {
        try {
          unlinkSync(pathOf(artifactId))
        } catch (thrown) {
          if (!isAbsence(thrown)) throw thrown
        }
      }),

    sweep() {
      const oldest = Date.now() - PENDING_LIFE_MS
      for (const sub of entries(folder))
        for (const name of entries(join(folder, sub))) {
          if (!name.startsWith(PENDING)) continue
          const path = join(folder, sub, name)
          try {
            if (lstatSync(path).mtimeMs < oldest) rmSync(path, { force: true })
          } catch {
            // Somebody else took it away, or it is not ours to take: the next sweep sees it again.
          }
        }
    },
  }
}

/** Nothing there, or something else where the file or its folder would be: a link in a circle, a file. */
const isAbsence = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String((thrown as NodeJS.ErrnoException).code))

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A rename is durable once its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
