import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const run = promisify(execFile)

export const FLAT_CASE = 'step-10000-to-10'

const SUBJECTS = [
  { name: 'tenon', module: join(here, 'tenon.mjs') },
  { name: 'hand-written', module: join(here, 'hand-written.mjs') },
  { name: 'pi-agent-core', module: join(here, '..', 'peers', 'pi-agent-core.mjs') },
]

/**
 * A step of a run of 10,000 to one of a run of 10: 1 is flat.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function flat({ wanted, report }) {
  if (!wanted(FLAT_CASE)) return
  for (const { name, module } of SUBJECTS) {
    const { stdout } = await run(process.execPath, ['--no-warnings', join(here, 'measure-flat.mjs'), module])
    report({ case: FLAT_CASE, subject: name, value: Number(stdout), unit: 'times' })
  }
}
