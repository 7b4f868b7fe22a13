// The example in a folder of its own, for tests and benches: nothing is left in the checkout, and nobody's keys play a part.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
const root = join(here, '..', '..')

/**
 * @typedef {object} LaidOut
 * @property {string} folder the analyst's project
 * @property {Record<string, string>} environment for the command, as of a user who has nothing
 * @property {() => void} remove
 */

/** @param {string} command the script of the `tenon` command @returns {LaidOut} */
export function layOut(command) {
  const base = mkdtempSync(join(tmpdir(), 'tenon-report-'))
  const folder = join(base, 'competitor-report')
  cpSync(here, folder, { recursive: true, filter: (path) => !/[\\/](?:\.tenon|reports)(?:[\\/]|$)/.test(path) })
  cpSync(join(here, '..', 'skills', 'report-pdf'), join(base, 'skills', 'report-pdf'), { recursive: true })
  // The servers are programs of the project and find their packages as they would there.
  symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'), 'junction')
  return {
    folder,
    environment: { PATH: process.env.PATH ?? '', HOME: base, USERPROFILE: base, TENON_COMMAND: command },
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  }
}
