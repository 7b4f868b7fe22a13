import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ path: string, read: () => string }} HouseFile `path` is relative to the root, with slashes
 */

/**
 * Every file that is tracked or could be: what git ignores is nobody's business.
 *
 * @param {string} root
 * @returns {HouseFile[]}
 */
export function houseFiles(root) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return listed
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .map((path) => ({ path, read: () => readFileSync(join(root, path), 'utf8') }))
}

/** @param {string} path */
export function isCode(path) {
  return /\.(?:ts|tsx|mts|cts|js|mjs|cjs)$/.test(path) && !path.endsWith('.d.ts')
}

/** @param {string} path */
export function isTest(path) {
  return /\.test\.(?:ts|mjs)$/.test(path) || /^packages\/[^/]+\/test\//.test(path)
}
