import { join } from 'node:path'
import type { Tool } from '@tenon/kernel'
import { text } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { call, folderOf, say, skillFile, skillHost } from '../../test/support/skill-host.js'
import { skillDigest } from '../loading/skill-digest.js'
import { allowedTools } from './allowed-tools-rules.js'

const shell: Tool = {
  name: 'run_command',
  description: 'Runs a command.',
  input: { json: { type: 'object' }, check: (value) => ({ ok: true, value }) },
  effect: 'once',
  origin: { kind: 'function', name: 'local' },
  run: ({ command }) => ({ kind: 'result', content: [text(`ran ${String(command)}`)] }),
}
const FILES = { 'git/SKILL.md': skillFile('git', 'allowed-tools: Bash(git:*) Bash Nonsense\n') }
const lines = (command: string) => [
  [call('activate_skill', { name: 'git' })],
  [call('run_command', { command })],
  [say('done')],
]

test('of a version that nobody trusts each call asks', async () => {
  const host = await skillHost(folderOf(FILES), lines('git log'), { tools: [shell] })
  const { state, outputs } = await host.run('go')
  expect(state).toBe('input-required')
  expect(outputs[0]).toContain('this version is not trusted')
})

test('of a trusted version a call in its rules does not ask, and every other still does', async () => {
  for (const [command, state] of [
    ['git log', 'completed'],
    ['git log; rm -rf .', 'input-required'],
    ['rm -rf .', 'input-required'],
  ] as const) {
    const folder = folderOf(FILES)
    const host = await skillHost(folder, lines(command), { tools: [shell] })
    host.trust.trust(skillDigest(join(folder, 'git')) ?? '', 'git')
    expect({ command, state: (await host.run('go')).state }).toEqual({ command, state })
  }
})

test('rules of other clients are read as tools that there are here, and no others', () => {
  const offered = new Set(['read_file', 'run_command', 'files__list', 'fetch_url'])
  const rules = [
    'Read',
    'Read(src/**)',
    'Bash',
    'Bash(*)',
    'Bash(npm run test:*)',
    'Write',
    'mcp__files__list',
    'WebFetch(domain:x.org)',
  ]
  expect(allowedTools(rules, offered)).toEqual([
    { rule: 'Read', tool: 'read_file' },
    { rule: 'Read(src/**)', tool: 'read_file', pattern: { '/path': 'src/*' } },
    { rule: 'Bash(npm run test:*)', tool: 'run_command', pattern: { '/command': { $command: 'npm run test *' } } },
    { rule: 'mcp__files__list', tool: 'files__list' },
    { rule: 'WebFetch(domain:x.org)', tool: 'fetch_url', pattern: { '/url': 'https://x.org' } },
  ])
})
