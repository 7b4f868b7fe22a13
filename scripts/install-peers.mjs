import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { npmPath, repoRoot, runNode } from './run-node.mjs'

export const peersFolder = join(repoRoot, 'bench', 'peers')

/** Whether what the lock file of the peers names is installed. */
export function peersInstalled() {
  const mark = join(peersFolder, 'node_modules', '.package-lock.json')
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(peersFolder, 'package-lock.json')).mtimeMs
}

/** Installs what the numbers are measured beside, from a lock file of its own: a plain install never sees it. */
export async function installPeers() {
  if (peersInstalled()) return
  console.error('  installing the peers (225 MB, half a minute)')
  const { code, stderr } = await runNode([npmPath(), 'ci', '--ignore-scripts', '--prefix', peersFolder])
  if (code !== 0) throw new Error(`the peers could not be installed:\n${stderr}`)
}
