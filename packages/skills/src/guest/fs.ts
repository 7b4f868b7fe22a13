import type { GuestHost, GuestStat } from './host.js'
import { resolve } from './path.js'

declare const tenonHost: GuestHost

/** What scripts use of `node:fs`: whole files, within the folders of the job. */
type Encoding = string | { readonly encoding?: string | null; readonly flag?: string } | null

const INPUT: readonly unknown[] = [0, '/dev/stdin']

export function readFileSync(path: unknown, options?: Encoding): string | Uint8Array {
  const place = INPUT.includes(path) ? undefined : placeOf(path)
  const encoding = typeof options === 'string' ? options : options?.encoding
  if (encoding === undefined || encoding === null) return new Uint8Array(tenonHost.read(place))
  if (!/^utf-?8$/i.test(encoding)) throw new TypeError(`The encoding ${encoding} is not there: only utf8 is.`)
  return tenonHost.readText(place)
}

export function writeFileSync(path: unknown, content: unknown, options?: Encoding): void {
  const append = typeof options === 'object' && options?.flag === 'a'
  tenonHost.write(placeOf(path), contentOf(content), append)
}

export const appendFileSync = (path: unknown, content: unknown): void =>
  tenonHost.write(placeOf(path), contentOf(content), true)

export const copyFileSync = (from: unknown, to: unknown): void =>
  tenonHost.write(placeOf(to), tenonHost.read(placeOf(from)), false)

export function existsSync(path: unknown): boolean {
  try {
    tenonHost.stat(placeOf(path))
    return true
  } catch {
    return false
  }
}

export function statSync(path: unknown): ReturnType<typeof statsOf> {
  return statsOf(tenonHost.stat(placeOf(path)))
}

/** Links are not followed by anything here, so it is the same. */
export const lstatSync = (path: unknown): ReturnType<typeof statsOf> => statSync(path)

export function readdirSync(path: unknown, options?: { readonly withFileTypes?: boolean }): readonly unknown[] {
  const names = [...tenonHost.list(placeOf(path))]
  if (options?.withFileTypes !== true) return names
  return names.map((name) => ({
    name,
    parentPath: String(path),
    ...statsOf(tenonHost.stat(placeOf(`${path}/${name}`))),
  }))
}

export const mkdirSync = (path: unknown): void => tenonHost.makeFolder(placeOf(path))

export function rmSync(path: unknown, options?: { readonly force?: boolean }): void {
  if (options?.force !== true || existsSync(path)) tenonHost.remove(placeOf(path))
}

export const unlinkSync = (path: unknown): void => tenonHost.remove(placeOf(path))

const statsOf = ({ kind, size, changed }: GuestStat) => ({
  size,
  mtimeMs: changed,
  mtime: new Date(changed),
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'folder',
  isSymbolicLink: () => false,
})

/** A path, or an address such as those that are made of `import.meta.url`. */
function placeOf(path: unknown): string {
  const text = String(path)
  return resolve(text.startsWith('file://') ? decodeURIComponent(text.slice('file://'.length)) : text)
}

function contentOf(content: unknown): string | ArrayBuffer {
  if (content instanceof ArrayBuffer) return content
  if (!ArrayBuffer.isView(content)) return String(content)
  return content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength) as ArrayBuffer
}
