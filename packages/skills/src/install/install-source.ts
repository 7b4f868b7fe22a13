import { type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { SkillsError } from '../errors.js'

/** Where a skill is to be had. */
export type InstallSource =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'archive'; readonly path: string }
  | { readonly kind: 'git'; readonly url: string; readonly ref?: string }
  | { readonly kind: 'npm'; readonly spec: string }

/** A page of a forge that shows a folder of a repository. */
const FOLDER_PAGE = /^(https:\/\/[^/]+\/[^/]+\/[^/]+)\/(?:-\/)?(?:tree|blob)\/([^/]+)\/(.+?)\/?$/
const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i

const NPM_SPEC = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(?:@[\w.^~><= +-]+)?$/i

/**
 * What the user named: `npm:NAME[@VERSION]`, a git address (`…#REF` for a branch, tag or commit), a folder or an archive.
 * @throws SkillsError `skill-source-unreadable`
 */
export function parseSource(text: string, cwd: string): InstallSource {
  if (text.startsWith('npm:')) {
    const spec = text.slice(4)
    if (!NPM_SPEC.test(spec)) throw unreadable(text, 'It is no name of an npm package.')
    return { kind: 'npm', spec }
  }
  if (/^(?:https?|ssh|git|file):\/\//.test(text) || /^git@[\w.-]+:/.test(text)) {
    const [url = '', ref] = text.split('#')
    const open = withoutCredentials(url)
    if (open !== url)
      throw unreadable(
        open,
        'The address was given with credentials, which would stand in the lock file. Leave them out: git asks its credential helper, or use ssh.',
      )
    const [, repository, branch, folder = ''] = FOLDER_PAGE.exec(url) ?? []
    if (repository !== undefined)
      throw unreadable(text, `It is a page, not a repository. Try ${repository}#${branch} --skill ${basename(folder)}`)
    if (/^https?:/.test(url) && ARCHIVE.test(url))
      throw unreadable(text, 'Addresses are those of git repositories. Download the archive and give its path.')
    return { kind: 'git', url, ...(ref === undefined || ref === '' ? {} : { ref }) }
  }
  const path = resolve(cwd, text.replace(/^~(?=\/)/, homedir()))
  const stat = statOf(path, text)
  if (stat.isDirectory()) return { kind: 'folder', path }
  if (!stat.isFile()) throw unreadable(text, 'It is a pipe, a socket or a device, and no archive.')
  if (basename(path).toLowerCase() === 'skill.md') throw unreadable(text, `A skill is a folder: give ${dirname(text)}.`)
  return { kind: 'archive', path }
}

/** `git@` before a host of ssh is a name and no secret; over HTTP a name alone may be a token. */
const withoutCredentials = (url: string): string =>
  url.replace(/^(https?:\/\/)[^/?#]*@|^(ssh:\/\/[^/:@]*):[^/@]*@/, (_, http, ssh) => http ?? `${ssh}@`)

function statOf(path: string, text: string): Stats {
  try {
    return statSync(path)
  } catch (cause) {
    const code = String((cause as NodeJS.ErrnoException).code)
    throw unreadable(text, WHY[code] ?? `The system does not let it be looked at (${code}).`, cause)
  }
}

const ABSENT = 'There is no such file or folder. Give a path, an archive, a git address or npm:NAME.'

const WHY: Readonly<Record<string, string>> = {
  ENOENT: ABSENT,
  ENOTDIR: ABSENT,
  EACCES: 'A folder on the way may not be entered by you.',
  ELOOP: 'It is a link that leads in a circle.',
}

const unreadable = (text: string, why: string, cause?: unknown): SkillsError =>
  new SkillsError('skill-source-unreadable', `${text}: ${why}`, { cause })
