import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunEvent } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '../../test-support/needs.js'

needs('a sandbox (Linux)', () => process.platform === 'linux')

const here = import.meta.dirname
const report = join(here, 'reports', 'meridian-kinetics.pdf')

/** The demo as in a pipe, on a machine without keys. */
function demo(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const home = mkdtempSync(join(tmpdir(), 'tenon-demo-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const child = spawn(process.execPath, [join(here, 'demo.mjs'), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: home, USERPROFILE: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, out }))
  })
}

/** The journals of all runs in a project. */
function journals(project: string): readonly (readonly RunEvent[])[] {
  const store = openStore({ dir: join(project, '.tenon') })
  try {
    return store.runs.list({ limit: 10 }).runs.map(({ runId }) => store.journal.load(runId))
  } finally {
    store.close()
  }
}

/** How often each call began, by its tool. */
function begun(events: readonly RunEvent[]): Readonly<Record<string, number>> {
  const tools = new Map(
    events.flatMap((event) => (event.kind === 'call-proposed' ? [[event.call.callId, event.call.tool]] : [])),
  )
  const counts: Record<string, number> = {}
  for (const event of events)
    if (event.kind === 'call-begun') {
      const tool = tools.get(event.callId) ?? ''
      counts[tool] = (counts[tool] ?? 0) + 1
    }
  return counts
}

test('the demo asks, checks, renders and shows its run; killed on both sides it ends with the same bytes and one task', {
  timeout: 240_000,
}, async () => {
  const whole = await demo()
  expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('no language model is at work') })
  expect(whole.out).toContain('The report is in examples/competitor-report/reports/meridian-kinetics.pdf')
  expect(whole.out).toContain('red line')
  const bytes = readFileSync(report)
  expect(bytes.subarray(0, 8).toString()).toBe('%PDF-1.7')
  const [calm = []] = journals(here)

  const crashed = await demo('--crash')
  expect(crashed).toMatchObject({ code: 0, out: expect.stringContaining('killed with SIGKILL, then the desk') })
  expect(readFileSync(report).equals(bytes)).toBe(true)
  const [analyst = [], ...others] = journals(here)
  expect(others).toEqual([])
  // The delegation is entered again and attaches to its task; everything else began as often as without a crash.
  expect(begun(analyst)).toEqual(begun(calm))
  expect(journals(join(here, 'research'))).toHaveLength(1)
})

test('a demo that is told to go leaves no desk behind', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, [join(here, 'demo.mjs'), '--yes'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const desk = await new Promise<number>((resolve, reject) => {
    let out = ''
    child.on('close', () => reject(new Error(out)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const [, pid] = /in another process: .*, process (\d+)/.exec(out) ?? []
      if (pid !== undefined && out.includes('$ tenon run')) resolve(Number(pid))
    })
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
  expect(() => process.kill(desk, 0)).toThrow('ESRCH')
})
