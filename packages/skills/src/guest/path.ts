import { cwd } from './process.js'

/** What scripts use of `node:path`, for paths with `/`. */
export const sep = '/'
export const delimiter = ':'

export const isAbsolute = (path: string): boolean => path.startsWith('/')

export function normalize(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (!isAbsolute(path)) parts.push(part)
  }
  const joined = `${isAbsolute(path) ? '/' : ''}${parts.join('/')}`
  return joined === '' ? '.' : joined
}

export const join = (...paths: readonly string[]): string => normalize(paths.filter((path) => path !== '').join('/'))

export function resolve(...paths: readonly string[]): string {
  const from = paths.findLastIndex(isAbsolute)
  return normalize(from === -1 ? [cwd(), ...paths].join('/') : paths.slice(from).join('/'))
}

export function dirname(path: string): string {
  const trimmed = path.replace(/(?<=.)\/+$/, '')
  const at = trimmed.lastIndexOf('/')
  return at === -1 ? '.' : at === 0 ? '/' : trimmed.slice(0, at)
}

export function basename(path: string, suffix = ''): string {
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

export const extname = (path: string): string => /(?<=[^/.][^/]*|\.+[^/.]+)\.[^/.]*$/.exec(basename(path))?.[0] ?? ''

export function relative(from: string, to: string): string {
  const [left, right] = [from, to].map((path) => resolve(path).split('/').filter(Boolean))
  let same = 0
  while (same < (left?.length ?? 0) && left?.[same] === right?.[same]) same += 1
  return [...(left ?? []).slice(same).map(() => '..'), ...(right ?? []).slice(same)].join('/')
}

export function parse(path: string): { root: string; dir: string; base: string; ext: string; name: string } {
  const [base, ext] = [basename(path), extname(path)]
  const dir = dirname(path)
  return { root: isAbsolute(path) ? '/' : '', dir: dir === '.' ? '' : dir, base, ext, name: basename(base, ext) }
}
