import { expect, test } from 'vitest'
import { place, WRITING } from './tenon-process.js'

test('show gives the timeline, what each turn and call took, and the way to the view', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])
  const { stdout, code } = await here.tenon(['runs', 'show', 'last'])
  expect(code).toBe(0)
  expect(stdout).toContain('call: write_file path="out.md" content="hello" (approved)')
  expect(stdout).toMatch(/^t1 +\+\d+ m?s +model +act +finished/m)
  expect(stdout).toMatch(/^t1\.2 +\+[\d.]+ m?s +function +list_files +allowed +finished/m)
  expect(stdout).toMatch(/^t2\.1 +\+[\d.]+ m?s +function +write_file +approved by cli +finished/m)
  const { calls, tokens } = JSON.parse((await here.tenon(['runs', 'show', 'last', '--json'])).stdout)
  expect(calls).toMatchObject([
    { tool: 'list_files', layer: 'function', consent: { decision: 'allowed' } },
    { tool: 'write_file', consent: { decision: 'approved', by: 'cli' }, outcome: 'finished' },
  ])
  expect(tokens.output).toBeGreaterThan(0)
})

test('a step that was refused says by whom, and a bounded run how much of its budget is used', async () => {
  const here = place()
  here.write('r.yaml', WRITING.replace('scenes:', 'prices: { input: 3, output: 15 }\nscenes:'))
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--deny', '--money', '2'])
  const { stdout } = await here.tenon(['runs', 'show', 'last', '--steps'])
  expect(stdout).toMatch(/^t2\.1 +\+[\d.]+ m?s +function +write_file +denied by cli +denied/m)
  expect(stdout).toMatch(/^budget: .* tokens and \$0\.\d+ of \$2\.00, /m)
  expect(stdout).not.toContain('call: write_file')
})

test('the view of a turn says what the model saw, from where, and what it took', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])
  const { stdout } = await here.tenon(['runs', 'show', 'last', '--view', '2', '--full'])
  expect(stdout).toMatch(/^system-prompt +system +\d+ +[\d.]+% +\d+ +1 +host, host/m)
  expect(stdout).toMatch(/^tool-outputs +\d+ /m)
  expect(stdout).toContain('  write it')
  expect(stdout).toContain('← t1.2 list_files')
  expect(stdout).not.toContain('out.md')
  const view = JSON.parse((await here.tenon(['runs', 'show', 'last', '--view', 't2', '--json'])).stdout)
  const sum = view.entries.reduce((total: number, part: { tokens: number }) => total + part.tokens, 0)
  expect(sum).toBe(view.manifest.tokens)
  const missing = await here.tenon(['runs', 'show', 'last', '--view', '9'])
  expect(missing).toMatchObject({ code: 2, stdout: '' })
  expect(missing.stderr).toContain('the run has t1 to t3')
})

test('as Markdown a run reads from goal to result, and no text breaks out of its fence', async () => {
  const here = place()
  here.write('r.yaml', WRITING.replace('content: hello', 'content: "```\\n# not a heading"'))
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])
  const { stdout } = await here.tenon(['runs', 'export', 'last', '--as', 'markdown'])
  expect(stdout).toMatch(/^## Goal\n\n> write it$/m)
  expect(stdout).toMatch(/^## completed\n\nIt is written\.$/m)
  expect(stdout).toContain('````json')
})
