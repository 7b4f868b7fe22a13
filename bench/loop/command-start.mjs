import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from '../bench-contract.mjs'

const run = promisify(execFile)
const command = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'packages', 'tenon', 'bin', 'tenon.js')

const CASES = [
  { name: 'cli-version', args: [command, '--version'] },
  { name: 'cli-help', args: [command, '--help'] },
]

/**
 * Wall time of a whole process, from start to end, beside a node that does nothing.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function commandStart({ rounds, wanted, report }) {
  for (const { name, args } of CASES) {
    if (!wanted(name)) continue
    const tenon = []
    const bare = []
    for (let round = 0; round < rounds; round += 1) {
      /** @type {number[]} */
      const ours = []
      /** @type {number[]} */
      const theirs = []
      for (let start = 0; start < 11; start += 1) {
        ours.push(await wallTime(args))
        theirs.push(await wallTime(['--eval', '0']))
      }
      tenon.push(median(ours))
      bare.push(median(theirs))
    }
    for (const [subject, times] of /** @type {const} */ ([
      ['tenon', tenon],
      ['bare node', bare],
    ])) {
      report({ case: name, subject, value: Math.min(...times), unit: 'ms', worst: Math.max(...times) })
    }
  }
}

/** @param {readonly string[]} args */
async function wallTime(args) {
  const began = performance.now()
  await run(process.execPath, args)
  return performance.now() - began
}
