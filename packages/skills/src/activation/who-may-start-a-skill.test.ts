import { expect, test } from 'vitest'
import { call, folderOf, say, skillFile, skillHost } from '../../test/support/skill-host.js'
import { skillsNamedIn } from './named-skills.js'

const FILES = {
  'deploy/SKILL.md': skillFile('deploy', 'disable-model-invocation: true\n', 'Deploy $ARGUMENTS with care.'),
  'house/SKILL.md': skillFile('house', 'user-invocable: false\n'),
  'review/SKILL.md': skillFile('review'),
}

test('what only the user may start is started by /name with its arguments, before the model is asked', async () => {
  const host = await skillHost(folderOf(FILES), [[say('done')]])
  const { state, outputs, runId } = await host.run('/deploy the site')
  expect(state).toBe('completed')
  expect(outputs[0]).toContain('Deploy the site with care.')
  expect(host.requests).toHaveLength(1)
  const shown = JSON.stringify(host.requests[0])
  expect(shown).toContain('Deploy the site with care.')
  expect(shown).toContain('/deploy the site')
  expect(shown).toContain('Work.')
  expect(host.events(runId)[0]).toMatchObject({ metadata: { skills: [{ name: 'deploy', args: 'the site' }] } })
})

test('the model is refused such a skill by name, and told who may', async () => {
  const host = await skillHost(folderOf(FILES), [[call('activate_skill', { name: 'deploy' })], [say('done')]])
  const { outputs } = await host.run('go')
  expect(outputs[0]).toContain('Only the user may start deploy')
})

test('a mention anywhere starts a skill; what is no skill, or none for users, is only text', async () => {
  const host = await skillHost(folderOf(FILES), [[say('done')]])
  const { outputs } = await host.run('Look at it with $review. It costs $5 and $HOME is set.')
  expect(outputs).toHaveLength(1)
  expect(outputs[0]).toContain('The method of review.')
  const named = (text: string) => skillsNamedIn(text, host.library.current).map(({ name }) => name)
  expect(named('/house now')).toEqual([])
  expect(named('/tmp/deploy is a path')).toEqual([])
  expect(named('see /deploy')).toEqual([])
  expect(named('/review $deploy')).toEqual(['review', 'deploy'])
})
