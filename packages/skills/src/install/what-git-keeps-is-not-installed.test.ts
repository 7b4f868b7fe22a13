import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsProgram } from '../../../../test-support/needs.js'
import { folderOf, skillFile } from '../../test/support/skill-host.js'
import { stageSkill } from './install-skill.js'

needsProgram('tar')

test('a repository in an archive is left behind: no digest would tell that it was changed', async () => {
  const cwd = folderOf({ 'review/SKILL.md': skillFile('review'), 'review/.git/hooks/x.sh': 'echo x' })
  execFileSync('tar', ['-cf', join(cwd, 'review.tar'), '-C', cwd, 'review'])
  const into = join(cwd, 'skills')
  const staged = await stageSkill('review.tar', { into, cwd })
  staged.commit()
  expect(readdirSync(join(into, 'review'))).toEqual(['SKILL.md'])
})

test.each([
  ['review/SKILL.md', /give .*review/],
  ['https://forge.example/a/skills/tree/main/pdf', /Try https:\/\/forge\.example\/a\/skills#main --skill pdf/],
  ['https://forge.example/skill.zip', /Download the archive/],
])('%s, which is no source, is answered with one that is', async (source, told) => {
  const cwd = folderOf({ 'review/SKILL.md': skillFile('review') })
  await expect(stageSkill(source, { into: join(cwd, 'skills'), cwd })).rejects.toThrow(told)
})
