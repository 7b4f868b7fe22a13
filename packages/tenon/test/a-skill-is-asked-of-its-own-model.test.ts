import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place } from './tenon-process.js'

const CONFIG = `agent: worker
agents: { worker: { model: usual } }
models:
  usual: { provider: rehearsal, file: usual.yaml }
  deep: { provider: rehearsal, file: deep.yaml }
`
const says = (text: string): string =>
  `rehearsal: r
scenes:
  - { name: first, say: { text: ${text} } }
  - { name: then, when: { results: [{ tool: activate_skill }] }, say: { text: done } }
`

test('a skill with context: fork is asked of the model it names, and of the usual one where that is not there', async () => {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  here.write('usual.yaml', says('by the usual'))
  here.write('deep.yaml', says('by the deep'))
  for (const [name, keys] of [
    ['audit', 'context: fork\nmodel: deep\n'],
    ['sums', 'context: fork\nmodel: opus\n'],
    ['notes', 'model: deep\n'],
  ] as const) {
    mkdirSync(join(here.folder, '.agents/skills', name), { recursive: true })
    here.write(
      `.agents/skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: Does ${name}.\n${keys}---\nDo it.\n`,
    )
  }
  const settled = async (goal: string): Promise<string> => {
    const { code, stdout } = await here.tenon(['run', goal, '--json'])
    expect(code, stdout).toBe(0)
    return stdout.split('\n').find((line) => line.includes('"call-settled"')) ?? ''
  }
  expect(await settled('/audit')).toMatch(/by the deep.*worker under deep/)
  expect(await settled('/sums')).toMatch(/asks for the model opus.*by the usual/)
  const { stdout } = await here.tenon(['skills', 'doctor'])
  expect(stdout).toContain('sums asks for the model opus: none of that name stands under models')
  expect(stdout).toContain('notes asks for the model deep: only a skill with "context: fork" can have its own')
  expect(stdout).not.toContain('audit asks')
})
