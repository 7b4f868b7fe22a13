import { expect, test } from 'vitest'
import { policyOfConfig } from './policy-of-config.js'

test('each line keeps its disposition, its tool and its conditions', () => {
  const policy = policyOfConfig(
    {
      otherwise: 'deny',
      rules: [
        { allow: 'read_*' },
        { ask: 'write_file', args: { '/path': 'a/*' }, reason: 'because' },
        { deny: '*', effect: 'once', outward: true, trustAtMost: 'untrusted', origin: { kind: 'mcp', name: 'x' } },
      ],
    },
    undefined,
  )
  expect(policy).toEqual({
    otherwise: 'deny',
    rules: [
      { disposition: 'allow', tool: 'read_*' },
      { disposition: 'ask', tool: 'write_file', args: { '/path': 'a/*' }, reason: 'because' },
      {
        disposition: 'deny',
        tool: '*',
        effect: 'once',
        outward: true,
        trustAtMost: 'untrusted',
        origin: { kind: 'mcp', name: 'x' },
      },
    ],
  })
})

test('an agent’s own lines are looked at before the general ones, and its default counts', () => {
  const policy = policyOfConfig(
    { otherwise: 'allow', rules: [{ ask: 'a' }] },
    { otherwise: 'ask', rules: [{ allow: 'a' }] },
  )
  expect(policy.otherwise).toBe('ask')
  expect(policy.rules.map(({ disposition }) => disposition)).toEqual(['allow', 'ask'])
})

test('without any line nothing is decided here', () => {
  expect(policyOfConfig(undefined, undefined)).toEqual({ rules: [] })
})
