import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CallId,
  HOST,
  type InputRequest,
  type JsonObject,
  type Origin,
  type Proposal,
  RequestId,
  ROOT_SCOPE,
} from '@tenon/kernel'
import { expect, test } from 'vitest'
import { askConsent } from './ask-consent.js'
import { askQuestion } from './ask-question.js'
import type { Asker } from './asker.js'

/** A person who types these lines, and what was shown to them. */
function person(...typed: string[]): Asker & { readonly shown: string[] } {
  const shown: string[] = []
  return {
    shown,
    say: (line) => void shown.push(line),
    question(prompt) {
      shown.push(prompt)
      return Promise.resolve(typed.shift())
    },
  }
}

const request: InputRequest = {
  requestId: RequestId('t1.1/q1'),
  kind: 'approval',
  callId: CallId('t1.1'),
  key: 'consent',
  prompt: 'Run write_file?',
  binding: 'b',
  resume: null,
  reason: 'it changes files',
}

const callOf = (args: JsonObject): { proposal: Proposal; args: JsonObject } => ({
  args,
  proposal: {
    callId: CallId('t1.1'),
    scope: ROOT_SCOPE,
    tool: 'write_file',
    args,
    refs: [],
    toolDigest: 'd',
    origin: { kind: 'function', name: 'builtin' },
    effect: 'once',
    key: 'k',
    provenance: HOST,
  },
})

const ask = (asker: Asker, args: JsonObject = { path: 'a.md', n: 2 }, environment: Record<string, string> = {}) =>
  askConsent({ request, call: callOf(args), environment, signal: new AbortController().signal }, asker)

test.each<[string[], unknown]>([
  [['y'], { kind: 'approve' }],
  [['YES'], { kind: 'approve' }],
  [['n'], { kind: 'deny' }],
  [['no use the other file'], { kind: 'deny', reason: 'use the other file' }],
  [['l'], undefined],
  [['', 'maybe', '?', 'y'], { kind: 'approve' }],
  [['a', 'r', ''], { kind: 'approve', remember: 'run' }],
  [['a', 'a', 'path=*.md, n=2'], { kind: 'approve', remember: 'always', pattern: { '/path': '*.md', '/n': 2 } }],
  [['a', 'r', 'wrong=1', 'path=a*'], { kind: 'approve', remember: 'run', pattern: { '/path': 'a*' } }],
  [['a', 'b', 'n'], { kind: 'deny' }],
  [['e', '{"path": "b.md"}'], { kind: 'approve', args: { path: 'b.md' } }],
  [['e', '{broken', '["list"]', '', 'y'], { kind: 'approve' }],
])('typing %j answers %j', async (typed, answer) => {
  expect(await ask(person(...typed))).toEqual(answer)
})

test('closing the input is no answer', async () => {
  expect(await ask(person())).toBeUndefined()
})

test('everything that is decided on is shown, and nothing of it acts', async () => {
  const asker = person('y')
  await ask(asker, { path: 'a\u202egnp.exe', content: 'one\ntwo\u001b[2J' })
  const shown = asker.shown.join('\n')
  expect(shown).toContain('write_file: changes something, each time it is done')
  expect(shown).toContain('Asks because: it changes files')
  expect(shown).toContain('path: a\\u202egnp.exe')
  expect(shown).toContain('    one\n    two\\x1b[2J')
})

test.each<[Origin, JsonObject, string]>([
  [{ kind: 'mcp', name: 'files' }, { path: 'a' }, 'write_file of mcp files: '],
  [{ kind: 'peer', name: 'delegate' }, { peer: 'research', brief: 'Look.' }, 'write_file of peer research: '],
  [{ kind: 'skill', name: 'run_skill_script' }, { skill: 'report-pdf' }, 'write_file of skill report-pdf: '],
  [{ kind: 'skill', name: 'activate_skill' }, { name: 'report-pdf' }, 'write_file of skill report-pdf: '],
  [{ kind: 'run', name: 'run_agent' }, { agent: 'clerk' }, 'write_file of run clerk: '],
])('of a counterpart of kind %j the one is named that would carry it out', async (origin, args, shown) => {
  const asker = person('y')
  const call = callOf(args)
  const asked = { ...call, proposal: { ...call.proposal, origin } }
  await askConsent({ request, call: asked, environment: {}, signal: new AbortController().signal }, asker)
  expect(asker.shown[0]?.startsWith(shown)).toBe(true)
})

test('arguments that do not fit cannot be approved before they were seen', async () => {
  const long = { content: Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n') }
  const asker = person('y', 'v', 'y')
  expect(await ask(asker, long)).toEqual({ kind: 'approve' })
  const shown = asker.shown.join('\n')
  expect(shown).toContain('type v to see them first')
  expect(shown.indexOf('line 250')).toBeGreaterThan(shown.indexOf('type v to see them first'))
})

test.skipIf(process.platform === 'win32')('an editor gets the arguments and its answer counts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-editor-'))
  try {
    const editor = join(folder, 'editor.cjs')
    writeFileSync(
      editor,
      `const fs = require('fs'), file = process.argv[2], args = JSON.parse(fs.readFileSync(file)); args.path = 'edited.md'; fs.writeFileSync(file, JSON.stringify(args))`,
    )
    const answer = await ask(person('e'), { path: 'a.md' }, { EDITOR: `"${process.execPath}" "${editor}"` })
    expect(answer).toEqual({ kind: 'approve', args: { path: 'edited.md' } })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const questionOf = (schema: JsonObject | undefined, ...typed: string[]) =>
  askQuestion(
    { ...request, kind: 'question', prompt: 'Which?', ...(schema === undefined ? {} : { schema }) },
    person(...typed),
    new AbortController().signal,
  )

test.each<[JsonObject | undefined, string[], unknown]>([
  [undefined, ['blue'], 'blue'],
  [{ type: 'string', enum: ['red', 'blue'] }, ['2'], 'blue'],
  [{ type: 'string', enum: ['red', 'blue'] }, ['green', 'red'], 'red'],
  [{ type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } }, ['1, 3'], ['a', 'c']],
  [{ type: 'boolean' }, ['yes'], true],
  [{ type: 'number' }, ['many', '3'], 3],
  [{ type: 'object' }, ['{"a":1}'], { a: 1 }],
  [{ type: 'string' }, [''], undefined],
])('a question of the shape %j takes %j', async (schema, typed, answer) => {
  expect(await questionOf(schema, ...typed)).toEqual(answer)
})

const form: InputRequest = {
  ...request,
  kind: 'question',
  prompt: 'ops: Where?',
  schema: {
    type: 'object',
    properties: { region: { type: 'string', title: 'Region' }, count: { type: 'integer', default: 2 } },
    required: ['region'],
  },
}

test('a form is asked field by field, with what it suggests', async () => {
  const asker = person('y', 'eu', '')
  expect(await askQuestion(form, asker, new AbortController().signal)).toEqual({ region: 'eu', count: 2 })
  expect(asker.shown.join('\n')).toContain('Region')
})

test('a form is left for later, or refused as a whole', async () => {
  expect(await askQuestion(form, person(''), new AbortController().signal)).toBe(undefined)
  expect(await askQuestion(form, person('n'), new AbortController().signal)).toBe(false)
})
