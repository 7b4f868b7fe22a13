import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { HostError } from '../errors.js'
import { firstInvalid } from '../tools/file-text.js'

/**
 * The text of a small file that a person wrote.
 * @throws HostError `file-unreadable`, `file-too-large`, `file-not-text` with the place of the first bad byte
 */
export function readTextFile(file: string, maxBytes: number): string {
  const bytes = readSmallFile(file, maxBytes)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new HostError('file-not-text', `${file} is UTF-16. Save it as UTF-8.`)
  if (!isUtf8(bytes)) {
    const { line, column } = firstBadByte(bytes)
    throw new HostError('file-not-text', `${file}:${line}:${column} is not UTF-8. Save the file as UTF-8.`, {
      detail: { line, column },
    })
  }
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return bytes.toString('utf8', start)
}

/** A pipe that nobody writes to would keep an open that waits. Windows has no such flag, and no such pipes. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * The bytes of a file that a person named. Kind and size are looked at before anything is read, so that a huge file,
 * a device or a pipe costs nothing. @throws HostError `file-unreadable`, `file-too-large`
 */
export function readSmallFile(file: string, maxBytes: number): Buffer {
  let handle: number
  try {
    // Before it is opened: opening a device may already do something.
    checkKind(file, statSync(file))
    handle = openSync(file, AT_ONCE)
  } catch (cause) {
    throw cause instanceof HostError ? cause : unreadable(file, cause)
  }
  try {
    const stat = fstatSync(handle)
    checkKind(file, stat)
    if (stat.size > maxBytes)
      throw new HostError(
        'file-too-large',
        `${file} has ${stat.size} bytes; at most ${maxBytes} are read. Is it the right file?`,
      )
    const bytes = Buffer.alloc(stat.size)
    let length = 0
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, length)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } catch (cause) {
    throw cause instanceof HostError ? cause : unreadable(file, cause)
  } finally {
    closeSync(handle)
  }
}

function checkKind(file: string, stat: Stats): void {
  if (stat.isFile()) return
  const kind = stat.isDirectory() ? 'folder' : stat.isFIFO() ? 'named pipe' : stat.isSocket() ? 'socket' : 'device'
  throw new HostError('file-unreadable', `${file} is a ${kind}; only a regular file is read.`)
}

function unreadable(file: string, cause: unknown): HostError {
  const code = (cause as NodeJS.ErrnoException).code
  const why =
    code === 'ENOENT' ? 'does not exist' : code === 'EACCES' ? 'may not be read by you' : `cannot be read (${code})`
  return new HostError('file-unreadable', `${file} ${why}.`, { cause })
}

/** Line and column in bytes, counted from 1. A line break is never part of a longer UTF-8 sequence. */
function firstBadByte(bytes: Buffer): { line: number; column: number } {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(10, start)
    const end = found === -1 ? bytes.length : found + 1
    if (!isUtf8(bytes.subarray(start, end))) return { line, column: badColumn(bytes.subarray(start, end)) }
    start = end
  }
  return { line, column: 1 }
}

/** Where the first sequence begins that is none, also where only its end is missing. */
function badColumn(line: Buffer): number {
  let at = firstInvalid(line)
  while (!isUtf8(line.subarray(0, at))) at--
  return at + 1
}
