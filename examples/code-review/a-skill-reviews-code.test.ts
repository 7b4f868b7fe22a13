import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')

type Ended = { readonly code: number | null; readonly events: readonly Record<string, unknown>[]; readonly log: string }

/** The example in a folder of its own, as on a machine without keys. */
function example(): { readonly folder: string; run(goal: string): Promise<Ended> } {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-review-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  cpSync(here, join(folder, 'code-review'), { recursive: true })
  cpSync(join(here, '..', 'skills', 'code-review'), join(folder, 'skills', 'code-review'), { recursive: true })
  // The server of the example finds its packages where it stands in the repository.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const run = (goal: string): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const { PATH = '' } = process.env
      const args = ['run', goal, '--rehearsal', 'rehearsal.yaml', '--yes', '--json']
      const child = spawn(process.execPath, [join(root, 'packages/tenon/dist/bin/tenon.js'), ...args], {
        cwd: join(folder, 'code-review'),
        env: { PATH, HOME: folder, USERPROFILE: folder, TENON_STORE: join(folder, 'store') },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let out = ''
      let log = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
      child.on('error', reject)
      child.on('close', (code) => {
        const lines = out.split('\n').filter((line) => line !== '')
        resolve({ code, log, events: lines.map((line) => JSON.parse(line) as Record<string, unknown>) })
      })
    })
  return { folder: join(folder, 'code-review'), run }
}

const toolsOf = ({ events }: Ended): readonly string[] =>
  events.filter(({ kind }) => kind === 'call-proposed').map(({ call }) => (call as { tool: string }).tool)

const REST = [
  'files__list_files',
  'read_skill_file',
  'files__read_file',
  'files__read_file',
  'run_skill_script',
  'read_skill_file',
  'write_file',
]

test.each([
  ['by the own choice of the model', 'Please review the code in the project folder.'],
  ['by /code-review', '/code-review project'],
])('started %s, the skill orchestrates file server, script and template to one report', async (_, goal) => {
  const { folder, run } = example()
  const ended = await run(goal)
  expect(ended, ended.log).toMatchObject({ code: 0 })
  expect(toolsOf(ended)).toEqual(['activate_skill', ...REST])
  const report = readFileSync(join(folder, 'review.md'), 'utf8')
  expect(report).toContain('2 files, 4 marks found by the script')
  expect(report).toContain('| high | src/rules.js:3 |')
  expect(report).toContain('| high | src/cart.js:12 |')
})
