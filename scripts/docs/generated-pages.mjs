import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { binPath, repoRoot } from '../run-node.mjs'
import { configurationPage } from './configuration-page.mjs'
import { doctorPage } from './doctor-page.mjs'
import { errorsPage } from './errors-page.mjs'

/** @type {Readonly<Record<string, () => string>>} */
const PAGES = {
  'docs/configuration.md': configurationPage,
  'docs/doctor.md': doctorPage,
  'docs/errors.md': errorsPage,
}

/** Pages that are written from the code, by their path, in the form in which they are kept. */
export async function generatedPages() {
  const made = await Promise.all(
    Object.entries(PAGES).map(async ([path, page]) => /** @type {const} */ ([path, await formatted(path, page())])),
  )
  return new Map(made)
}

/** @param {string} path @param {string} page */
async function formatted(path, page) {
  const args = [binPath('@biomejs/biome', 'biome'), 'format', `--stdin-file-path=${path}`]
  const child = spawn(process.execPath, args, { cwd: repoRoot, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(page)
  return text(child.stdout)
}
