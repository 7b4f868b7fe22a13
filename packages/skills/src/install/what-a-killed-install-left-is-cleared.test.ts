import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, skillFile } from '../../test/support/skill-host.js'
import { stageSkill } from './install-skill.js'

/** The id of a process that has ended. */
const gone = (): number => spawnSync(process.execPath, ['-e', '']).pid

test('what a killed install left is cleared away by the next one, and what it had moved aside comes back', async () => {
  const pid = gone()
  const cwd = folderOf({
    'from/new/SKILL.md': skillFile('new'),
    [`at/.skills-staging-${pid}-abc/replaced/old/SKILL.md`]: skillFile('old'),
    [`at/.skills-staging-${process.pid}-def/skill/mine/SKILL.md`]: skillFile('mine'),
    'at/.skills-staging-notes': 'of nobody',
  })
  const into = join(cwd, 'at/skills')
  mkdirSync(into)
  const staged = await stageSkill('from/new', { into, cwd })
  staged.commit()
  expect(readdirSync(join(cwd, 'at')).sort()).toEqual([`.skills-staging-${process.pid}-def`, 'skills'])
  expect(readFileSync(join(into, 'old/SKILL.md'), 'utf8')).toBe(skillFile('old'))
})

test('a skill that stands in its place is not overwritten by one that was moved aside', async () => {
  const cwd = folderOf({
    'from/new/SKILL.md': skillFile('new'),
    [`at/.skills-staging-${gone()}-abc/replaced/old/SKILL.md`]: 'older',
    'at/skills/old/SKILL.md': 'newer',
  })
  writeFileSync(join(cwd, 'at/skills/old/notes'), 'x')
  const staged = await stageSkill('from/new', { into: join(cwd, 'at/skills'), cwd })
  staged.discard()
  expect(readFileSync(join(cwd, 'at/skills/old/SKILL.md'), 'utf8')).toBe('newer')
  expect(readdirSync(join(cwd, 'at'))).toEqual(['skills'])
})
