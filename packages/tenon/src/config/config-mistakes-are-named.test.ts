// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration writes variables like this
import { expect, test } from 'vitest'
import { issueLine } from './config-issue.js'
import { parseConfig } from './parse-config.js'

const known = {
  tools: ['read_file', 'write_file', 'fetch_url'],
  providers: ['openai', 'openai-compatible', 'rehearsal'],
  keyed: ['openai'],
}
const check = (source: string, environment: Record<string, string> = {}) =>
  parseConfig(source, 'tenon.yaml', environment, known)
const mistakes = (source: string, environment: Record<string, string> = {}): string[] => {
  const parsed = check(source, environment)
  return parsed.ok ? [] : parsed.issues.map(issueLine)
}

test('a mistyped key gives its place and the key that was meant', () => {
  expect(mistakes('agents:\n  writer:\n    modle: openai/gpt-5\n')).toEqual([
    'tenon.yaml:3:5 agents.writer.modle: unknown key. Did you mean "model"?',
  ])
})

test.each([
  ['steps: .nan', '22 agents.a.limits.steps: must be a whole number, not a NaN.'],
  ['money: .inf', '22 agents.a.limits.money: must be a number, not an endless one.'],
])('a limit that never binds is told as what it is: %s', (limit, told) => {
  expect(mistakes(`agents:\n  a:\n    limits: { ${limit} }\n`)).toEqual([`tenon.yaml:3:${told}`])
})

test('several mistakes are told at once, in the order of the file', () => {
  const lines = mistakes(
    'agnts: {}\nagents:\n  a:\n    limits: { steps: 0, wall: 5 }\n    planner: raect\npolicy:\n  otherwise: maybe\n',
  )
  expect(lines).toEqual([
    'tenon.yaml:1:1 agnts: unknown key. Did you mean "agents"?',
    'tenon.yaml:4:22 agents.a.limits.steps: must be between 1 and 1000000.',
    'tenon.yaml:4:31 agents.a.limits.wall: must be a time such as 500ms, 30s, 5m, 2h or 30d, not a number.',
    'tenon.yaml:5:14 agents.a.planner: must be one of react. Did you mean "react"?',
    'tenon.yaml:7:14 policy.otherwise: must be one of allow, ask, deny.',
  ])
})

test('an alias, an agent, a tool or a provider that does not exist is named with the nearest that does', () => {
  expect(
    mistakes(
      'agent: writr\nagents:\n  writer:\n    model: fsat\n    tools: [raed_file, "write_*"]\nmodels:\n  fast: { provider: openia }\n',
    ),
  ).toEqual([
    'tenon.yaml:1:8 agent: there is no agent "writr". Did you mean "writer"?',
    'tenon.yaml:4:12 agents.writer.model: there is no model "fsat". Did you mean "fast"?',
    'tenon.yaml:5:13 agents.writer.tools[0]: there is no tool "raed_file". Did you mean "read_file"?',
    'tenon.yaml:7:21 models.fast.provider: there is no provider "openia". Did you mean "openai"?',
  ])
})

test('a rule says exactly one of allow, ask and deny', () => {
  expect(mistakes('policy:\n  rules:\n    - reason: because\n    - allow: a\n      deny: b\n')).toEqual([
    'tenon.yaml:3:7 policy.rules[0]: says neither what to allow, nor to ask, nor to deny. Write exactly one of allow, ask, deny.',
    'tenon.yaml:4:7 policy.rules[1]: has allow and deny at once. Write exactly one of allow, ask, deny.',
  ])
})

test.each([
  ['a duplicate key', 'agent: a\nagent: b\n', 'tenon.yaml:2:1 agent: this key stands here twice. Keep one of the two.'],
  ['a tab', 'agents:\n\ta: {}\n', 'tenon.yaml:2:1 a tab is used to indent. Use spaces.'],
  ['on for true', 'tools:\n  builtin:\n    fetch_url: off\n', 'Write false.'],
  ['a number for text', 'models:\n  a: { provider: openai, model: 4 }\n', 'Put it into quotes: "4".'],
  ['a colon in a value', 'agent: a: b\n', 'a colon stands inside a value'],
  ['two documents', 'agent: a\n---\nagent: b\n', 'a second document begins here'],
  ['a list at the top', '- a\n', 'must be a mapping with agent, agents'],
  ['an empty value', 'agents:\n', 'tenon.yaml:1:8 agents: has no value'],
  ['an unknown tag', 'agent: !!js/function x\n', 'this tag is not known'],
  ['a merge key', 'agents:\n  <<: { a: {} }\n', 'merge keys are not read'],
  ['a prototype', 'agents:\n  __proto__: {}\n', 'cannot be used as a name'],
])('%s is refused with what to do', (_, source, message) => {
  expect(mistakes(source).join('\n')).toContain(message)
})

test('a missing variable is named, a default is taken', () => {
  expect(mistakes('store:\n  dir: ${RUNS}/x\n')).toEqual([
    'tenon.yaml:2:8 store.dir: the variable RUNS is not set. Set it, or give a default: ${RUNS:-…}.',
  ])
  expect(check('store:\n  dir: ${RUNS:-runs}/$${x}\n')).toEqual({ ok: true, config: { store: { dir: 'runs/${x}' } } })
  expect(check('agents:\n  a:\n    limits:\n      steps: ${STEPS}\n', { STEPS: '7' })).toEqual({
    ok: true,
    config: { agents: { a: { limits: { steps: 7 } } } },
  })
})

test('text that a model will read is not filled from the environment', () => {
  const parsed = check('agents:\n  a:\n    system: say ${SECRET}\n', { SECRET: 'hunter2' })
  expect(JSON.stringify(parsed)).not.toContain('hunter2')
  expect(parsed.ok && parsed.config.agents?.a?.system).toBe('say ${SECRET}')
})

test('anchors are followed, but not without end', () => {
  expect(check('agents:\n  a: &base { system: hi }\n  b: *base\n')).toEqual({
    ok: true,
    config: { agents: { a: { system: 'hi' }, b: { system: 'hi' } } },
  })
  const levels = ['a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]']
  for (let i = 1; i < 9; i++)
    levels.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    )
  const bomb = `agents:\n  x:\n    output:\n      schema:\n${levels.map((line) => `        ${line}`).join('\n')}\n`
  expect(mistakes(bomb).join()).toContain('grows without end')
  expect(mistakes(`agent: ${'['.repeat(20_000)}`)).not.toEqual([])
})

test('a known provider at an address of its own gets no key unless the configuration names it', () => {
  expect(mistakes('models:\n  m: { provider: openai, baseUrl: "https://elsewhere.example/v1" }\n')).toEqual([
    'tenon.yaml:2:35 models.m.baseUrl: this needs "apiKey" beside it. With an address of its own a provider gets no key unless it is named.',
  ])
})
