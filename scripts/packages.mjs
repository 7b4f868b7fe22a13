import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from './run-node.mjs'

/**
 * @typedef {{ name: string, folder: string, manifest: Record<string, any> }} Package
 * @returns {Package[]} the workspaces that have sources, dependencies first
 */
export function packages(root = repoRoot) {
  const base = join(root, 'packages')
  const found = readdirSync(base)
    .map((name) => join(base, name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'src')))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return { name: String(manifest.name), folder, manifest }
    })
  /** @type {Package[]} */
  const ordered = []
  /** @param {Package} one */
  const visit = (one) => {
    if (ordered.includes(one)) return
    for (const other of found) if (other !== one && one.manifest.dependencies?.[other.name]) visit(other)
    ordered.push(one)
  }
  for (const one of found) visit(one)
  return ordered
}
