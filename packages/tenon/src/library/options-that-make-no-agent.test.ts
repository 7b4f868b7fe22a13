import type { Model } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { tool } from '../tools/tool.js'
import { agent } from './agent.js'

const USER = { source: 'user', trust: 'user' } as const

let asked = 0
const model: Model = {
  author: { provider: 'test', model: 'written', dialect: 'none' },
  contextWindow: 100_000,
  *generate() {
    asked++
    yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: 'done' } }
    yield { kind: 'finished', finish: 'stop', usage: null, diagnostics: [] }
  },
}
const write = tool({ name: 'write', description: 'Writes.', run: () => 'written' })

test.each([
  ['nothing at all', undefined, 'options-invalid', 'takes an object'],
  ['no model', {}, 'options-invalid', 'needs a model'],
  ['the name of a model', { model: 'gpt-5' }, 'options-invalid', 'openai("gpt-5")'],
  ['instructions that are no text', { model, instructions: 7 }, 'options-invalid', 'instructions'],
  ['an empty name', { model, name: '' }, 'options-invalid', 'name'],
  ['one tool without a list', { model, tools: write }, 'options-invalid', 'list'],
  ['a tool that is none', { model, tools: [write, { name: 'x' }] }, 'tool-invalid', 'Number 2'],
  ['two tools of one name', { model, tools: [write, write] }, 'tool-invalid', '"write"'],
  ['a limit with a slip', { model, limits: { step: 5 } }, 'options-invalid', 'steps, calls'],
  ['a limit that never binds', { model, limits: { steps: Number.NaN } }, 'options-invalid', 'steps'],
  ['the choice of a tool that is not there', { model, toolChoice: { name: 'nope' } }, 'options-invalid', 'toolChoice'],
  ['a word that is no policy', { model, policy: 'never' }, 'policy-invalid', '"deny"'],
  ['a policy without rules', { model, policy: {} }, 'policy-invalid', '"rules"'],
  ['a rule without a disposition', { model, policy: { rules: [{ tool: 'a' }] } }, 'policy-invalid', '"disposition"'],
  // It would hold for every call.
  [
    'a condition with a slip',
    { model, policy: { rules: [{ tools: 'read_*', disposition: 'allow' }] } },
    'policy-invalid',
    '"tools"',
  ],
  // It would hold for none.
  [
    'a trust that is none',
    { model, policy: { rules: [{ trustAtMost: 'untrustd', disposition: 'deny' }] } },
    'policy-invalid',
    '"untrusted"',
  ],
])('%s is refused with what to change', (_, options, code, words) => {
  expect(() => agent(options as never)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(words) }),
  )
})

test.each([
  ['no goal', undefined, {}],
  ['a goal that is no message', { text: 'go' }, {}],
  ['a goal from nobody', { role: 'user', blocks: [] }, {}],
  [
    'a goal in blocks of another protocol',
    { role: 'user', blocks: [{ type: 'text', text: 'go' }], provenance: USER },
    {},
  ],
  ['a goal of more trust than there is', { role: 'user', blocks: [], provenance: { ...USER, trust: 'boss' } }, {}],
  ['a deadline that never comes', 'go', { deadline: Number.POSITIVE_INFINITY }],
  ['a date for a deadline', 'go', { deadline: new Date() }],
  ['a limit with a slip', 'go', { limits: { monney: 1 } }],
])('%s begins no run', (_, goal, options) => {
  expect(() => agent({ model }).run(goal as never, options as never)).toThrow(
    expect.objectContaining({ code: 'options-invalid' }),
  )
})

test('a word to a run that is no message changes nothing', async () => {
  const run = agent({ model }).run({ role: 'user', blocks: [{ kind: 'text', text: 'go' }], provenance: USER })
  for (const wrong of [undefined, 7, {}, { role: 'user', blocks: [null], provenance: USER }])
    await expect(run.tell(wrong as never)).rejects.toMatchObject({ code: 'options-invalid' })
  expect((await run.result).text).toBe('done')
})

test('a signal that is aborted already starts nothing', async () => {
  asked = 0
  const { engine, run } = agent({ model })
  const begun = run('go', { signal: AbortSignal.abort() })
  await expect(begun.result).rejects.toMatchObject({ code: 'run-canceled', state: 'canceled' })
  await expect(async () => engine.state(begun.id)).rejects.toMatchObject({ code: 'run-unknown' })
  expect(asked).toBe(0)
})
