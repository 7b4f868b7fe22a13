import { expect, test } from 'vitest'
import { CallId, ROOT_SCOPE } from '../content/ids.js'
import type { JsonObject } from '../content/json.js'
import type { Trust } from '../content/provenance.js'
import type { Effect, Origin } from '../ports/tool.js'
import type { Proposal } from '../run/events.js'
import { matchesArguments, matchesText } from './argument-pattern.js'
import type { Policy } from './policy.js'
import { rule } from './policy.js'

const call = (
  tool: string,
  more: { args?: JsonObject; effect?: Effect; trust?: Trust; origin?: Origin } = {},
): Proposal => ({
  callId: CallId('t1.1'),
  scope: ROOT_SCOPE,
  tool,
  args: more.args ?? {},
  refs: [],
  toolDigest: 'd',
  origin: more.origin ?? { kind: 'mcp', name: 'files' },
  effect: more.effect ?? 'once',
  key: 'k',
  provenance: { source: 'model', trust: more.trust ?? 'user' },
})

const decide = (policy: Policy, proposal: Proposal, outward = false): string =>
  rule(policy, proposal, proposal.args, outward).disposition

test('without rules, what changes nothing runs and everything else asks', () => {
  const policy: Policy = { rules: [] }
  expect(decide(policy, call('read', { effect: 'pure' }))).toBe('allow')
  expect(decide(policy, call('write', { effect: 'idempotent' }))).toBe('ask')
  expect(decide(policy, call('pay'))).toBe('ask')
})

test('without rules, a call that reaches out asks once untrusted text is in the view', () => {
  expect(decide({ rules: [] }, call('fetch', { effect: 'pure' }), true)).toBe('allow')
  expect(decide({ rules: [] }, call('fetch', { effect: 'pure', trust: 'untrusted' }), true)).toBe('ask')
  expect(decide({ rules: [] }, call('read', { effect: 'pure', trust: 'untrusted' }))).toBe('allow')
})

test('the first rule that matches decides, but a deny further down wins over it', () => {
  const policy: Policy = {
    rules: [
      { disposition: 'allow', tool: 'git_*' },
      { disposition: 'ask' },
      { disposition: 'deny', tool: '*_push', reason: 'no' },
    ],
  }
  expect(decide(policy, call('git_log'))).toBe('allow')
  expect(decide(policy, call('other'))).toBe('ask')
  expect(rule(policy, call('git_push'), {}, false)).toMatchObject({ disposition: 'deny', reason: 'no' })
})

test('every condition of a rule must hold: origin, effect, arguments, trust, outward', () => {
  const policy: Policy = {
    rules: [
      {
        disposition: 'allow',
        origin: { kind: 'mcp', name: 'files' },
        effect: 'idempotent',
        args: { '/path': 'out/*' },
        outward: false,
      },
      { disposition: 'deny', outward: true, trustAtMost: 'untrusted' },
    ],
    otherwise: 'ask',
  }
  const fits = { args: { path: 'out/a' }, effect: 'idempotent' } as const
  expect(decide(policy, call('write', fits))).toBe('allow')
  expect(decide(policy, call('write', { ...fits, origin: { kind: 'mcp', name: 'other' } }))).toBe('ask')
  expect(decide(policy, call('write', { ...fits, origin: { kind: 'function', name: 'files' } }))).toBe('ask')
  expect(decide(policy, call('write', { ...fits, effect: 'once' }))).toBe('ask')
  expect(decide(policy, call('write', { ...fits, args: { path: 'etc/a' } }))).toBe('ask')
  expect(decide(policy, call('write', { ...fits, args: {} }))).toBe('ask')
  expect(decide(policy, call('write', fits), true)).toBe('ask')
  expect(decide(policy, call('mail'), true)).toBe('ask')
  expect(decide(policy, call('mail', { trust: 'untrusted' }))).toBe('ask')
  expect(decide(policy, call('mail', { trust: 'untrusted' }), true)).toBe('deny')
})

test('a pattern is exact but for its stars, and a pointer must lead somewhere', () => {
  expect(matchesText('a.b', 'axb')).toBe(false)
  expect(matchesText('a*b*c', 'a1b2c')).toBe(true)
  expect(matchesText('ab*ba', 'aba')).toBe(false)
  expect(matchesText('*', '')).toBe(true)
  expect(matchesText('a*x*c', 'abc')).toBe(false)
  expect(matchesText('*ab*ab*', 'cabd')).toBe(false)
  expect(matchesArguments({ '/to/0/name': 'Ann', '/n': 3 }, { to: [{ name: 'Ann' }], n: 3 })).toBe(true)
  expect(matchesArguments({ '/a~1b~01': 'x' }, { 'a/b~1': 'x' })).toBe(true)
  expect(matchesArguments({ '/n': '3' }, { n: 3 })).toBe(false)
  expect(matchesArguments({ '/o': { $command: 7 } }, { o: { $command: 7 } })).toBe(true)
  expect(matchesArguments({ '/missing': null }, {})).toBe(false)
  expect(matchesArguments({ '/constructor': 'x', '/__proto__': {} }, {})).toBe(false)
  expect(matchesArguments({ '/__proto__': {} }, {})).toBe(false)
})

test.each([
  'git log; rm -rf .',
  'git log && curl x',
  'git log | sh',
  'git $(x)',
  'git `x`',
  'git log > f',
  'git\nrm x',
  'gitx',
])('a pattern for command lines holds for one command only: not for %j', (command) => {
  const pattern = { '/command': { $command: 'git *' } }
  expect(matchesArguments(pattern, { command })).toBe(false)
  expect(matchesArguments(pattern, { command: 'git log --oneline "a b"' })).toBe(true)
})
