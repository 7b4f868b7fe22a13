import { ARCHIVE_LIMITS, type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'

/**
 * Looks at every name and type before one byte is unpacked. Names are judged as text, never by resolving them.
 * @throws ArchiveRefusal
 */
export function checkEntries(entries: readonly ArchiveEntry[]): void {
  if (entries.length > ARCHIVE_LIMITS.files)
    throw new ArchiveRefusal('archive-bomb', `It has ${entries.length} entries; ${ARCHIVE_LIMITS.files} are allowed.`)
  let total = 0
  const seen = new Map<string, string>()
  for (const entry of entries) {
    checkName(entry.name)
    if (entry.kind === 'link') refuse('entry-link', entry, 'is a link')
    if (entry.kind === 'special') refuse('entry-special-file', entry, 'is a device, a pipe or a socket')
    total += entry.size
    if (total > ARCHIVE_LIMITS.unpackedBytes)
      throw new ArchiveRefusal('archive-bomb', `It unpacks to more than ${ARCHIVE_LIMITS.unpackedBytes >> 20} MiB.`)
    checkCase(entry, seen)
  }
}

/** @throws ArchiveRefusal */
function checkName(name: string): void {
  if (name.includes('\0')) refuse('entry-nul', { name: name.replaceAll('\0', '\\0') }, 'has a NUL in its name')
  if (name.includes('\\')) refuse('entry-backslash', { name }, 'has a backslash in its name')
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) refuse('entry-absolute-path', { name }, 'has an absolute path')
  if (name.split('/').includes('..')) refuse('entry-parent-path', { name }, 'leaves its folder')
}

/** Each folder on the way counts too: `Docs/a` and `docs/b` would be one folder on some disks. */
function checkCase(entry: ArchiveEntry, seen: Map<string, string>): void {
  const parts = partsOf(entry.name)
  for (let length = 1; length <= parts.length; length++) {
    const spelt = parts.slice(0, length).join('/')
    const isFile = length === parts.length && entry.kind === 'file'
    const mark = `${isFile ? 'file' : 'folder'} ${spelt}`
    const folded = spelt.normalize('NFKC').toLowerCase()
    const known = seen.get(folded)
    if (known === undefined) seen.set(folded, mark)
    else if (known !== mark || isFile)
      refuse('entry-case-duplicate', entry, 'meets another entry on a disk that ignores case')
  }
}

/** The parts of an entry's name that name something. */
export const partsOf = (name: string): readonly string[] =>
  name.split('/').filter((part) => part !== '' && part !== '.')

function refuse(reason: ArchiveRefusal['reason'], entry: { readonly name: string }, why: string): never {
  throw new ArchiveRefusal(reason, `${JSON.stringify(entry.name.slice(0, 200))} ${why}.`)
}
