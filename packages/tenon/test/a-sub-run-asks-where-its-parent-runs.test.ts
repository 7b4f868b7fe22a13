import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Place, place } from './tenon-process.js'

/** A boss that may only start the writer, and a writer that asks before it writes. */
function household(): Place {
  const here = place()
  here.write(
    'tenon.yaml',
    `agent: boss
agents:
  boss: { model: played, tools: [run_agent] }
  writer: { description: Writes files., model: played, tools: [write_file] }
models:
  played: { provider: rehearsal, file: r.yaml }
policy: { rules: [{ allow: run_agent }] }
`,
  )
  here.write(
    'r.yaml',
    `rehearsal: a boss and a writer
scenes:
  - { name: delegate, when: { turns: 0, tools: [run_agent] }, say: { calls: [{ tool: run_agent, args: { agent: writer, goal: write it } }] } }
  - { name: report, when: { turns: 1, tools: [run_agent] }, say: { text: The writer has done it. } }
  - { name: write, when: { turns: 0, tools: [write_file] }, say: { calls: [{ tool: write_file, args: { path: out.md, content: hello } }] } }
  - { name: written, when: { turns: 1, tools: [write_file] }, say: { text: Written. } }
`,
  )
  return here
}

test('the question of a sub-run is shown with its arguments and answered on its parent', async () => {
  const here = household()
  const parked = await here.tenon(['run', 'go'])
  expect(parked).toMatchObject({ code: 3, stdout: '' })
  expect(parked.stderr).toContain('path: out.md')
  expect(existsSync(join(here.folder, 'out.md'))).toBe(false)
  expect(await here.tenon(['runs', 'answer', 'last', '--yes'])).toMatchObject({
    code: 0,
    stdout: 'The writer has done it.\n',
  })
  expect(existsSync(join(here.folder, 'out.md'))).toBe(true)
})

test('--yes reaches sub-runs, and the list shows them when asked', async () => {
  const here = household()
  expect(await here.tenon(['run', 'go', '--yes'])).toMatchObject({ code: 0, stdout: 'The writer has done it.\n' })
  const runs = async (...more: string[]) =>
    (await here.tenon(['runs', 'list', '--json', ...more])).stdout.trim().split('\n')
  expect([await runs(), await runs('--all')].map(({ length }) => length)).toEqual([1, 2])
  const { stdout } = await here.tenon(['runs', 'show', 'last'])
  const [, child] = /^t1\.1 .* run_agent .* finished .*(run_\w+)$/m.exec(stdout) ?? []
  expect((await here.tenon(['runs', 'show', String(child)])).stdout).toContain('write_file')
})
