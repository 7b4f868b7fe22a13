import { expect, test } from 'vitest'
import { call, folderOf, say, skillFile, skillHost } from '../../test/support/skill-host.js'

test('context: fork starts a run whose goal is the skill; only its result comes back', async () => {
  const folder = folderOf({
    'audit/SKILL.md': skillFile('audit', 'context: fork\nagent: auditor\n', 'Audit the books.'),
  })
  const host = await skillHost(
    folder,
    ({ messages }, turn) => {
      if (turn === 1) return [call('activate_skill', { name: 'audit', arguments: 'of 2026' })]
      return [say(JSON.stringify(messages[0]).includes('Audit the books.') ? 'the books are right' : 'done')]
    },
    { agents: ['auditor'] },
  )
  const { state, outputs, runId } = await host.run('go')
  expect(state).toBe('completed')
  expect(outputs[0]).toContain('the books are right')
  expect(outputs[0]).not.toContain('Audit the books.')
  expect(JSON.stringify(host.requests[1])).toContain('of 2026')
  expect(host.events(runId).find(({ kind }) => kind === 'call-settled')).toMatchObject({ value: { name: 'audit' } })
})

test.each([
  ['fast', 'tester under fast', []],
  ['opus', 'tester', ['asks for the model opus, which the configuration does not have']],
])(
  'it is asked of the model %s that the skill names, where the configuration has it, and else that is told',
  async (model, agent, told) => {
    const folder = folderOf({ 'audit/SKILL.md': skillFile('audit', `context: fork\nmodel: ${model}\n`, 'Audit.') })
    const host = await skillHost(folder, () => [say('the books are right')], { models: ['fast'] })
    const { runId, outputs } = await host.run('/audit')
    expect(host.events(runId).find(({ kind }) => kind === 'call-settled')).toMatchObject({ value: { agent } })
    expect(outputs[0]).toContain('the books are right')
    for (const line of told) expect(outputs[0]).toContain(line)
    expect(outputs[0]?.includes('asks for the model')).toBe(told.length > 0)
  },
)

test('inside that run the skill is text and starts no other run', async () => {
  const folder = folderOf({ 'audit/SKILL.md': skillFile('audit', 'context: fork\n', 'Audit the books.') })
  const host = await skillHost(folder, ({ messages }, turn) => {
    const inside = JSON.stringify(messages[0]).includes('Audit the books.')
    if (turn === 1 || (inside && messages.length === 1)) return [call('activate_skill', { name: 'audit' })]
    return [say('done')]
  })
  const { state } = await host.run('go')
  expect(state).toBe('completed')
  expect(host.requests).toHaveLength(4)
})

test('it is started each time that it is wanted: its text stands nowhere in the view to go on by', async () => {
  const folder = folderOf({ 'audit/SKILL.md': skillFile('audit', 'context: fork\n', 'Audit the books.') })
  const host = await skillHost(folder, ({ messages }, turn) => {
    if (JSON.stringify(messages[0]).includes('Audit the books.')) return [say(`audit in turn ${turn}`)]
    return turn <= 3 ? [call('activate_skill', { name: 'audit', arguments: `year ${turn}` })] : [say('done')]
  })
  const { outputs } = await host.run('go')
  expect(outputs).toHaveLength(2)
  for (const output of outputs) expect(output).toContain('audit in turn')
})
