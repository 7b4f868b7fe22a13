import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { SANDBOX_LIMITS, sandboxes, stageFolder, V8_OVERHEAD } from '@tenon/skills'
import { median } from '../bench-contract.mjs'
import { ended } from './ended.mjs'

const TIMES = 25

/** @type {[string, [string, ...string[]]][]} */
export const SANDBOX_CASES = [
  ['sandbox-true', ['/bin/true']],
  ['sandbox-python', ['/usr/bin/python3', '-I', '-c', 'print(1)']],
  ['sandbox-javascript', [process.execPath, '-e', 'console.log(1)']],
]

/** Processor time of a start, which says the same on a machine that has other things to do. */
export const CPU_CASE = 'sandbox-true-cpu'
const CPU_TIMES = 50

/** @typedef {(command: [string, ...string[]]) => Promise<number | null>} Start */

/** What a start in a sandbox costs, beside one without. @param {import('../bench-contract.mjs').BenchOptions} options */
export async function sandboxStart({ rounds, wanted, report, note }) {
  const cases = SANDBOX_CASES.filter(([name]) => wanted(name))
  if (cases.length === 0 && !wanted(CPU_CASE)) return
  /** @type {Map<string, Start>} */
  const subjects = new Map()
  const plain = new Set()
  for (const sandbox of sandboxes()) {
    const probe = await sandbox.probe()
    const name = sandbox.name === 'bubblewrap' ? 'tenon' : `tenon-${sandbox.name}`
    if (!probe.usable) note(`${sandbox.name} is not measured: ${probe.reason}`)
    else if (sandbox.name !== 'unconfined') subjects.set(name, (command) => inSandbox(sandbox, command))
    if (sandbox.runs === 'javascript') plain.add(name)
  }
  subjects.set('plain-spawn', plainly)
  // By address, so that the types of a peer are not asked for where the peers are not installed.
  const { sandboxRuntime } = await import(new URL('../peers/sandbox-runtime.mjs', import.meta.url).href)
  const peer = await sandboxRuntime(note)
  if (peer !== undefined) subjects.set('srt', peer.start)
  try {
    for (const [name, command] of cases) {
      const asked = [...subjects].filter(([subject]) => !plain.has(subject) || name === 'sandbox-javascript')
      /** @type {Map<string, number[]>} */
      const medians = new Map(asked.map(([subject]) => [subject, []]))
      for (let round = 0; round < rounds; round += 1) {
        /** @type {Map<string, number[]>} */
        const times = new Map(asked.map(([subject]) => [subject, []]))
        // In turns, so that whatever else the machine does hits everybody.
        for (let time = 0; time < TIMES; time += 1)
          for (const [subject, start] of asked) {
            const began = performance.now()
            const code = await start(command)
            if (code !== 0) throw new Error(`${subject} ended ${command[0]} with ${code}`)
            times.get(subject)?.push(performance.now() - began)
          }
        for (const [subject, values] of times) medians.get(subject)?.push(median(values))
      }
      for (const [subject, values] of medians)
        report({ case: name, subject, value: Math.min(...values), worst: Math.max(...values), unit: 'ms' })
    }
    if (wanted(CPU_CASE) && process.platform === 'linux')
      for (const [subject, start] of subjects) {
        if (plain.has(subject)) continue
        const values = []
        for (let round = 0; round < rounds; round += 1) values.push(await processorTime(start))
        report({ case: CPU_CASE, subject, value: Math.min(...values), worst: Math.max(...values), unit: 'ms' })
      }
  } finally {
    await peer?.close()
  }
}

/** Milliseconds of this process and of those that it waited for, for each of many starts. @param {Start} start */
async function processorTime(start) {
  const before = ticks()
  for (let time = 0; time < CPU_TIMES; time += 1) await start(['/bin/true'])
  return ((ticks() - before) * MS_OF_TICK) / CPU_TIMES
}

const MS_OF_TICK = 10

function ticks() {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}

/** With the folder that a job gets, as scripts do. @param {import('@tenon/skills').Sandbox} sandbox @param {[string, ...string[]]} command */
async function inSandbox(sandbox, command) {
  const stage = stageFolder('work')
  try {
    const { exitCode } = await sandbox.run({
      folders: {
        work: { path: stage.at('work'), access: 'write', staged: true },
        node: { path: process.execPath, access: 'read', keepPath: true },
      },
      home: 'work',
      launch: (at) => ({ command, cwd: at('work') }),
      limits: command[0] === process.execPath ? { ...SANDBOX_LIMITS, overhead: V8_OVERHEAD } : SANDBOX_LIMITS,
    })
    return exitCode
  } finally {
    stage.remove()
  }
}

/** @type {Start} */
const plainly = ([file, ...args]) => ended(spawn(file, args, { env: {} }))
