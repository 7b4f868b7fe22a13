import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes compiled files whose source is gone: the compiler leaves them, and they would be packed and imported.
 *
 * @param {string} packageFolder
 * @returns {string[]} what was removed
 */
export function sweepOutputs(packageFolder) {
  const dist = join(packageFolder, 'dist')
  if (!existsSync(dist)) return []
  /** @type {string[]} */
  const removed = []
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.startsWith(join(dist, 'bundle'))) continue
    const [, stem, kind] = /^(.*?)(?:\.d)?\.(c?)(?:js|ts)(?:\.map)?$/.exec(entry.name) ?? []
    if (stem === undefined) continue
    const inside = entry.parentPath.slice(dist.length + 1)
    if (existsSync(join(packageFolder, 'src', inside, `${stem}.${kind}ts`))) continue
    const path = join(entry.parentPath, entry.name)
    rmSync(path)
    removed.push(path)
  }
  return removed
}
