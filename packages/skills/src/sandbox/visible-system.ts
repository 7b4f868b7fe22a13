import { lstatSync, readlinkSync, type Stats } from 'node:fs'

/** What of the system every job may read: programs, libraries, certificates, time zones and fonts. No user's files. */
const FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/System', '/opt/homebrew']
const FILES = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/fonts',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/certs',
  '/etc/mime.types',
  // macOS
  '/Library/Apple',
  '/Library/Developer/CommandLineTools',
  '/Library/Fonts',
  '/Library/Frameworks',
  '/private/etc/localtime',
  '/private/etc/ssl',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/select',
]

export type SystemEntry = { readonly path: string; readonly linkTo?: string }

/** Links at the top, such as `/lib` to `usr/lib`, stay links. */
export function visibleSystem(): readonly SystemEntry[] {
  return [...FOLDERS, ...FILES].flatMap((path) => {
    const stat = lstat(path)
    if (stat === undefined) return []
    return stat.isSymbolicLink() && FOLDERS.includes(path) ? [{ path, linkTo: readlinkSync(path) }] : [{ path }]
  })
}

const lstat = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })
