import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '../../test-support/needs.js'

needs('a sandbox (Linux)', () => process.platform === 'linux')

const here = import.meta.dirname
const root = join(here, '..', '..')
const GOAL = 'Deliver quality-report.md as a PDF.'

type Event = Readonly<Record<string, unknown>> & { readonly kind: string }

/** The example in a folder of its own, as on a machine without keys. */
function example() {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-report-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  cpSync(here, join(folder, 'quality-report'), { recursive: true })
  cpSync(join(here, '..', 'skills', 'report-pdf'), join(folder, 'skills', 'report-pdf'), { recursive: true })
  const tenon = (args: readonly string[], onEvent: (event: Event, child: ChildProcess) => void = () => {}) =>
    new Promise<{ code: number | null; signal: string | null; events: readonly Event[]; log: string }>((resolve) => {
      const child = spawn(process.execPath, [join(root, 'packages/tenon/dist/bin/tenon.js'), ...args], {
        cwd: join(folder, 'quality-report'),
        env: { PATH: process.env.PATH ?? '', HOME: folder, USERPROFILE: folder, TENON_STORE: join(folder, 'store') },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const events: Event[] = []
      let log = ''
      let rest = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines.filter((one) => one !== '')) {
          const event: Event = JSON.parse(line)
          events.push(event)
          onEvent(event, child)
        }
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
      child.on('close', (code, signal) => resolve({ code, signal, events, log }))
    })
  return { folder: join(folder, 'quality-report'), tenon }
}

const run = ['run', GOAL, '--rehearsal', 'rehearsal.yaml', '--yes', '--json']

/** The report rendered without an agent. */
function rendered(folder: string): Buffer {
  const script = join(here, '..', 'skills', 'report-pdf', 'scripts', 'render-pdf.mjs')
  execFileSync(process.execPath, [script, 'quality-report.md', 'expected.pdf'], { cwd: folder })
  return readFileSync(join(folder, 'expected.pdf'))
}

test('an agent checks the report, renders it in the sandbox and saves the PDF', async () => {
  const { folder, tenon } = example()
  const { code, log, events } = await tenon(run)
  expect({ code, log }).toMatchObject({ code: 0 })
  const tools = events.filter(({ kind }) => kind === 'call-proposed').map(({ call }) => (call as { tool: string }).tool)
  expect(tools).toEqual(['activate_skill', 'run_skill_script', 'run_skill_script', 'save_artifact'])
  expect(readFileSync(join(folder, 'reports', 'quality-report.pdf')).equals(rendered(folder))).toBe(true)
})

test('killed while the script runs, the run is resumed and there is one PDF', async () => {
  const { folder, tenon } = example()
  const rendering = new Set<unknown>()
  const killed = await tenon(run, (event, child) => {
    const call = event.call as { callId: string; args: { script?: string } } | undefined
    if (event.kind === 'call-proposed' && call?.args.script === 'scripts/render-pdf.mjs') rendering.add(call.callId)
    if (event.kind === 'call-begun' && rendering.has(event.callId)) child.kill('SIGKILL')
  })
  expect(killed.signal).toBe('SIGKILL')
  const runId = String(killed.events.find(({ kind }) => kind === 'run-submitted')?.runId ?? killed.events[0]?.runId)

  const resumed = await tenon(['runs', 'resume', runId, '--yes', '--json'])
  expect({ code: resumed.code, log: resumed.log }).toMatchObject({ code: 0 })
  expect(readdirSync(join(folder, 'reports'))).toEqual(['quality-report.pdf'])
  expect(readFileSync(join(folder, 'reports', 'quality-report.pdf')).equals(rendered(folder))).toBe(true)
  // The script declares itself idempotent: what was begun and never settled is begun once more.
  const ofRender = (events: readonly Event[]) =>
    events.filter(({ callId }) => rendering.has(callId)).map(({ kind }) => kind)
  expect([ofRender(killed.events), ofRender(resumed.events)]).toEqual([['call-begun'], ['call-begun', 'call-settled']])
})
