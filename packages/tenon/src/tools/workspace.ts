import { type BigIntStats, constants, realpathSync, statSync } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { HostError } from '../errors.js'
import { fileError } from './file-error.js'

/** A path that a model gave: as it reads in the workspace, and where it lies. Not yet looked up. */
export type Place = { readonly shown: string; readonly absolute: string }

export type OpenFile = { readonly handle: FileHandle; readonly stats: BigIntStats; readonly place: Place }

/**
 * Nobody writes here through a tool: hooks of git run as code, the store is where consents are kept, and the
 * configuration says what an agent may do.
 */
const CLOSED_TO_WRITING = ['.git', '.tenon', 'tenon.yaml', 'tenon.yml']
const CLOSED_TO_READING = ['.tenon']

const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
const LONGEST_PATH = 4_096

/**
 * The folder that file tools are confined to, by real path. Everything is looked up again at each use: links may
 * change while a run goes on.
 */
export class Workspace {
  /** The real path. */
  readonly root: string

  /** @throws HostError `path-missing`, `path-kind`, `path-denied` when the folder cannot be used */
  constructor(folder: string) {
    try {
      this.root = realpathSync.native(folder)
      if (!statSync(this.root).isDirectory()) throw new HostError('path-kind', `${folder} is no folder.`)
    } catch (error) {
      throw fileError(error, folder)
    }
  }

  /**
   * Reads a path as written: relative to the root, with `/` or `\` between names.
   * @throws HostError `path-outside`, `path-invalid`
   */
  place(written: string): Place {
    if (written.includes('\0')) throw new HostError('path-invalid', 'A path cannot hold a NUL character.')
    if (written.length > LONGEST_PATH) throw new HostError('path-invalid', 'The path is longer than 4096 characters.')
    const path = written.replaceAll('\\', '/')
    if (path.startsWith('~/') || (sep === '/' && /^[A-Za-z]:\//.test(path))) throw outside(written)
    const absolute = resolve(this.root, path === '' ? '.' : path)
    if (!this.holds(absolute)) throw outside(written)
    if (process.platform === 'win32') refuseWindowsNames(absolute.slice(this.root.length), written)
    return { shown: this.show(absolute), absolute }
  }

  /** A path below the root as a model sees it: relative, with `/`. The root is `.`. */
  show(absolute: string): string {
    return relative(this.root, absolute).split(sep).join('/') || '.'
  }

  holds(absolute: string): boolean {
    if (absolute === this.root) return true
    return absolute.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep)
  }

  /**
   * Opens a file for reading. What was opened is what is checked, so a link that changes in between is noticed.
   * @throws HostError `path-outside`, `path-missing`, `path-kind`, `path-denied`, `file-changed`
   */
  async openFile(written: string): Promise<OpenFile> {
    const place = this.place(written)
    let handle: FileHandle | undefined
    try {
      const real = await this.#real(place, CLOSED_TO_READING)
      // A pipe would block in open() and a device may act on it, so the kind is asked first and again afterwards.
      refuseSpecial(await stat(real, { bigint: true }), place)
      handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
      const stats = await handle.stat({ bigint: true })
      refuseSpecial(stats, place)
      await this.confirmOpen(handle, real, place.shown)
      return { handle, stats, place }
    } catch (error) {
      await handle?.close()
      throw fileError(error, place.shown)
    }
  }

  /** The real path of a folder. @throws HostError as `openFile` */
  async folder(written: string): Promise<Place> {
    const place = this.place(written)
    try {
      const real = await this.#real(place, CLOSED_TO_READING)
      if (!(await stat(real)).isDirectory())
        throw new HostError('path-kind', `${JSON.stringify(place.shown)} is a file, not a folder.`)
      return { shown: place.shown, absolute: real }
    } catch (error) {
      throw fileError(error, place.shown)
    }
  }

  /**
   * Where a file is to be written: the real path of the file if there is one, else of the place it will have, which
   * lies in the deepest folder that exists plus the names that do not.
   * @throws HostError as `openFile`
   */
  async target(written: string): Promise<Place> {
    const place = this.place(written)
    try {
      return { shown: place.shown, absolute: await this.#targetOf(place) }
    } catch (error) {
      throw fileError(error, place.shown)
    }
  }

  /** @throws HostError `path-outside` when a folder is not, or not any more, inside. For use after it was made. */
  async confirm(folder: string, shown: string): Promise<void> {
    this.#inside(await realpath(folder), shown)
  }

  /**
   * Looks where an open file lies. On Linux the system says so; elsewhere the path is looked up again and compared,
   * which leaves a gap for whoever swaps folders for links at the right two moments.
   * @throws HostError `path-outside`, `file-changed`
   */
  async confirmOpen(handle: FileHandle, expected: string, shown: string): Promise<void> {
    const real = await pathOfOpen(handle)
    this.#inside(real ?? (await realpath(expected)), shown)
    if (real === undefined ? await isSame(handle, expected) : real === expected) return
    throw new HostError('file-changed', `${JSON.stringify(shown)} was replaced while it was opened. Try again.`)
  }

  async #targetOf(place: Place): Promise<string> {
    let known = place.absolute
    const missing: string[] = []
    for (;;) {
      try {
        const real = await realpath(known)
        this.#inside(real, place.shown)
        const target = missing.length === 0 ? real : resolve(real, ...missing)
        refuseClosed(this.show(target), CLOSED_TO_WRITING, place)
        return target
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        if (await isLink(known))
          throw new HostError('path-denied', `${JSON.stringify(place.shown)} is a link to where nothing is.`)
        const parent = resolve(known, '..')
        missing.unshift(relative(parent, known))
        known = parent
      }
    }
  }

  async #real(place: Place, closed: readonly string[]): Promise<string> {
    const real = await realpath(place.absolute)
    this.#inside(real, place.shown)
    refuseClosed(this.show(real), closed, place)
    return real
  }

  #inside(real: string, shown: string): void {
    if (!this.holds(real)) throw outside(shown)
  }
}

const outside = (written: string): HostError =>
  new HostError(
    'path-outside',
    `${JSON.stringify(written)} leads out of the workspace. Use a path inside it, such as "notes/plan.md".`,
  )

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

async function pathOfOpen(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`)
  } catch {
    // No /proc is mounted.
    return undefined
  }
}

async function isSame(handle: FileHandle, path: string): Promise<boolean> {
  const [open, there] = await Promise.all([handle.stat({ bigint: true }), lstat(path, { bigint: true })])
  return open.dev === there.dev && open.ino === there.ino
}

function refuseSpecial(stats: BigIntStats, place: Place): void {
  if (stats.isFile()) return
  const what = stats.isDirectory() ? 'a folder; list_files shows what is in it' : 'a device, a socket or a pipe'
  throw new HostError('path-kind', `${JSON.stringify(place.shown)} is ${what}.`)
}

function refuseClosed(inside: string, closed: readonly string[], place: Place): void {
  const names = inside.toLowerCase().split('/')
  const name = closed.find((one) => names.includes(one))
  if (name !== undefined)
    throw new HostError('path-denied', `${JSON.stringify(place.shown)} may not be used: ${name} is not open to tools.`)
}

function refuseWindowsNames(below: string, written: string): void {
  for (const name of below.split(sep))
    if (name.includes(':') || WINDOWS_DEVICE.test(name) || /[. ]$/.test(name))
      throw new HostError('path-invalid', `${JSON.stringify(written)} holds a name that Windows keeps for itself.`)
}
