import { expect, test } from 'vitest'
import { servedRuns } from '../../../test/kit/served-runs.js'
import { temporaryFolder } from '../../../test/kit/temporary-folder.js'
import { WRITING } from '../../../test/tenon-process.js'

test('what is wrong with skills stands in the list of skills and in the first event of a run, without paths', async () => {
  const folder = temporaryFolder({
    '.agents/skills/good/SKILL.md': '---\nname: good\ndescription: Does it well.\n---\nSteps.\n',
    '.agents/skills/bad/SKILL.md': '---\nname: bad\n---\nNobody knows what for.\n',
  })
  const { ask, run } = await servedRuns({ rehearsal: WRITING, folder })
  const skills = await ask('GET /skills')
  expect(skills.at('/skills')).toMatchObject([
    {
      name: 'bad',
      state: 'cannot be used',
      loadable: false,
      diagnostics: [{ kind: 'description-missing', file: 'SKILL.md' }],
    },
    { name: 'good', state: 'ready', loadable: true, diagnostics: [] },
  ])
  expect(skills.at('/problems')).toEqual([expect.stringMatching(/^The skill bad cannot be used: /)])
  const id = await run('Write it.')
  const first = await ask(`GET /runs/${id}/events?limit=1`)
  expect(first.at('/events/0/metadata')).toEqual({ skillProblems: skills.at('/problems') })
  expect(skills.text + first.text).not.toContain(folder)
})
