import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { GuestStat } from '../guest/host.js'

/** A folder or file of the host and where it lies for the job. */
export type Mapping = {
  readonly at: string
  readonly path: string
  readonly writable: boolean
  readonly hidden: readonly string[]
  readonly readOnly: readonly string[]
}

/** The files of a job that has no file system: those of its folders, by the names that they have there. */
export type MappedFiles = {
  read(path: string): Uint8Array
  write(path: string, content: Uint8Array, append: boolean): void
  list(path: string): readonly string[]
  stat(path: string): GuestStat
  makeFolder(path: string): void
  remove(path: string): void
}

type Place = { readonly host: string; readonly writable: boolean; readonly isRoot: boolean }

/** What Node would have said, without a path of the host. */
function refusal(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}

/** Bytes: of a file that is read, since it is read whole, and of one that is written. */
export type FileBounds = { readonly read: number; readonly write: number }

export function mappedFiles(mappings: readonly Mapping[], most: FileBounds): MappedFiles {
  const roots = mappings.map((mapping) => ({ ...mapping, path: realpathSync(mapping.path) }))

  /** Part by part, so that no link on the way is followed and nothing above a folder can be reached. */
  const placeOf = (path: string): Place => {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.')
    const plain = `/${parts.join('/')}`
    const root = roots
      .filter(({ at }) => plain === at || plain.startsWith(`${at}/`))
      .sort((one, other) => other.at.length - one.at.length)[0]
    if (root === undefined || parts.includes('..') || path.includes('\0')) throw refusal('ENOENT', path)
    const rest = plain
      .slice(root.at.length)
      .split('/')
      .filter((part) => part !== '')
    const [first = ''] = rest
    if (isOneOf(root.hidden, first, root.path)) throw refusal('ENOENT', path)
    let host = root.path
    for (const part of rest) {
      host = join(host, part)
      if (lstat(host)?.isSymbolicLink()) throw refusal('ELOOP', path)
    }
    return { host, writable: root.writable && !isOneOf(root.readOnly, first, root.path), isRoot: rest.length === 0 }
  }

  const writable = (path: string): Place => {
    const place = placeOf(path)
    if (!place.writable || place.isRoot) throw refusal('EROFS', path)
    return place
  }

  return {
    read: (path) => {
      const { host } = placeOf(path)
      return withFile(host, constants.O_RDONLY, path, (fd) => {
        if (fstatSync(fd).size > most.read) throw refusal('EFBIG', path)
        return readFileSync(fd)
      })
    },
    write(path, content, append) {
      const { host } = writable(path)
      const flags = constants.O_WRONLY | constants.O_CREAT | (append ? constants.O_APPEND : constants.O_TRUNC)
      withFile(host, flags, path, (fd) => {
        if (fstatSync(fd).size + content.length > most.write) throw refusal('EFBIG', path)
        for (let at = 0; at < content.length; ) at += writeSync(fd, content, at)
      })
    },
    list(path) {
      const { host } = placeOf(path)
      const hidden = roots.find(({ path: root }) => root === host)?.hidden ?? []
      return attempt(path, () => readdirSync(host, { withFileTypes: true }))
        .filter((entry) => (entry.isFile() || entry.isDirectory()) && !hidden.includes(entry.name))
        .map(({ name }) => name)
    },
    stat(path) {
      const found = lstat(placeOf(path).host)
      if (found === undefined || !(found.isFile() || found.isDirectory())) throw refusal('ENOENT', path)
      return { kind: found.isFile() ? 'file' : 'folder', size: found.size, changed: found.mtimeMs }
    },
    makeFolder(path) {
      const { host } = writable(path)
      attempt(path, () => mkdirSync(host, { recursive: true }))
    },
    remove(path) {
      const { host } = writable(path)
      attempt(path, () => rmSync(host, { recursive: true }))
    },
  }
}

/** Also by another spelling, where the disk takes it for the same. */
function isOneOf(names: readonly string[], wanted: string, root: string): boolean {
  const own = wanted === '' ? undefined : lstat(join(root, wanted))
  return names.some((name) => {
    const other = own && lstat(join(root, name))
    return name.toLowerCase() === wanted.toLowerCase() || (other?.ino === own?.ino && other?.dev === own?.dev && !!own)
  })
}

const lstat = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

function withFile<T>(host: string, flags: number, path: string, work: (fd: number) => T): T {
  const fd = attempt(path, () => openSync(host, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  try {
    if (!fstatSync(fd).isFile()) throw refusal('EISDIR', path)
    return work(fd)
  } finally {
    closeSync(fd)
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refusal((error as NodeJS.ErrnoException).code ?? 'EIO', path)
  }
}
