import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { allHouseRules } from './all-house-rules.mjs'

/**
 * Lays a checkout with these files in a temporary folder and says what the house objects to, as `file:line message`.
 *
 * @param {Readonly<Record<string, string>>} files
 */
export function objectionsTo(files) {
  const root = mkdtempSync(join(tmpdir(), 'tenon-house-'))
  try {
    execFileSync('git', ['init', '--quiet'], { cwd: root })
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return allHouseRules(root).map(({ file, line, message }) => `${file}:${line} ${message}`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
