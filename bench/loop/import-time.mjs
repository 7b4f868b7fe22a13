import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from '../bench-contract.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const run = promisify(execFile)

const SUBJECTS = [
  { name: 'tenon', specifier: '@tenon/kernel', from: here },
  { name: 'pi-agent-core', specifier: '@mariozechner/pi-agent-core', from: join(here, '..', 'peers') },
  { name: 'ai-sdk', specifier: 'ai', from: join(here, '..', 'peers') },
  { name: 'langgraph', specifier: '@langchain/langgraph/prebuilt', from: join(here, '..', 'peers') },
]

export const IMPORT_CASE = 'import-kernel'

/**
 * The first import of the agent loop in a fresh process, without the start of node.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function importTime({ rounds, wanted, report }) {
  if (!wanted(IMPORT_CASE)) return
  const results = SUBJECTS.map(() => /** @type {number[][]} */ ([]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { specifier, from }] of SUBJECTS.entries()) {
      const times = []
      for (let start = 0; start < 7; start += 1) {
        const script = `const began = performance.now(); await import('${specifier}'); console.log(performance.now() - began)`
        const { stdout } = await run(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
          cwd: from,
        })
        times.push(Number(stdout))
      }
      results[index]?.push(times)
    }
  }
  for (const [index, { name }] of SUBJECTS.entries()) {
    const medians = (results[index] ?? []).map(median)
    const [value, worst] = [Math.min(...medians), Math.max(...medians)]
    report({ case: IMPORT_CASE, subject: name, value, unit: 'ms', worst })
  }
}
