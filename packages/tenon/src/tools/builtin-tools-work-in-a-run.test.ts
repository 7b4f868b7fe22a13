import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CallId,
  type Engine,
  plainText,
  type RequestId,
  type RunId,
  type RunState,
  type Tool,
  text,
} from '@tenon/kernel'
import { expect, test } from 'vitest'
import { call, engineWith, memoryPorts, say, scripted } from '../../test/kit/scripted-engine.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { ajvCompiler } from '../schema/ajv-compiler.js'
import { builtinTools } from './builtin-tools.js'
import { tool } from './tool.js'

const start = async (engine: Engine): Promise<RunId> => engine.submit({ agent: 'tester', goal: 'go' })
const only = (run: RunState): RequestId => [...run.inputs.keys()][0] as RequestId
const outcome = (run: RunState, callId: string) => run.call(callId as CallId)

test('every tool has a schema that is JSON Schema, and says what repeating it does', () => {
  const tools = builtinTools({ workspace: temporaryFolder(), artifacts: memoryPorts().artifacts })
  for (const { input } of tools) ajvCompiler(input.json)
  expect(Object.fromEntries(tools.map(({ name, effect }) => [name, effect]))).toEqual({
    list_files: 'pure',
    read_file: 'pure',
    search_files: 'pure',
    write_file: 'idempotent',
    edit_file: 'once',
    fetch_url: 'pure',
    ask_user: 'pure',
    todo: 'pure',
    read_artifact: 'pure',
    save_artifact: 'idempotent',
  })
})

test('without a workspace and artifacts there are no tools that need them', () => {
  expect(builtinTools().map(({ name }) => name)).toEqual(['fetch_url', 'ask_user', 'todo'])
})

test('a question parks the run, survives a restart, and its answer is the word of the user', async () => {
  const ports = memoryPorts()
  const model = scripted([call('ask_user', { question: 'Which?', options: ['red', 'blue'] })])
  const first = engineWith(model, builtinTools(), ports)
  const runId = await start(first)
  const asked = await first.drive(runId)
  expect(asked.inputs.get(only(asked))).toMatchObject({
    kind: 'question',
    prompt: 'Which?',
    schema: { type: 'string', enum: ['red', 'blue'] },
  })
  await first.close()

  const second = engineWith(model, builtinTools(), ports)
  await second.answer(runId, only(asked), 'blue', 'anna')
  const run = await second.drive(runId)
  expect(run.state).toBe('completed')
  expect(outcome(run, 't1.1')).toMatchObject({
    outcome: 'finished',
    value: 'blue',
    content: [{ text: 'blue' }],
    provenance: { source: 'user', trust: 'user' },
  })
})

test('an answer that is none of the options is asked for again, saying so', async () => {
  const engine = engineWith(
    scripted([call('ask_user', { question: 'Which?', options: ['red', 'blue'], several: true })]),
    builtinTools(),
  )
  const runId = await start(engine)
  await engine.answer(runId, only(await engine.drive(runId)), ['green'])
  const again = await engine.drive(runId)
  expect(again.inputs.get(only(again))?.prompt).toBe(
    'Which?\n(The last answer did not fit: /0 must be one of "red", "blue".)',
  )
  await engine.answer(runId, only(again), ['red', 'blue'])
  expect(outcome(await engine.drive(runId), 't1.1')).toMatchObject({ value: ['red', 'blue'] })
})

test('the plan is in the journal, as the user sees it', async () => {
  const items = [
    { text: 'read', status: 'done' },
    { text: 'think', status: 'working' },
    { text: 'rest', status: 'pending' },
    { text: 'worry', status: 'dropped' },
  ]
  const engine = engineWith(scripted([call('todo', { items })], [call('todo', { items: [] })]), builtinTools())
  const run = await engine.drive(await start(engine))
  expect(outcome(run, 't1.1')).toMatchObject({
    value: { items },
    content: [{ text: '[x] read\n[>] think\n[ ] rest\n[-] worry\n1 of 3 done' }],
  })
  expect(outcome(run, 't2.1')).toMatchObject({ value: { items: [] }, content: [{ text: 'The plan is empty.' }] })
})

test('an output too large for the view is paged through to its last byte, by the handle that the view shows', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `row ${i + 1}: ${'ü'.repeat(i % 40)}`)
  const table = tool({ name: 'table', description: 'A table.', effect: 'pure', run: () => lines.join('\n') })
  const ports = memoryPorts()
  const tools: readonly Tool[] = [table, ...builtinTools({ artifacts: ports.artifacts })]
  const engine = engineWith(scripted([call('table', {})]), tools, ports)
  const shown = plainText(outcome(await engine.drive(await start(engine)), 't1.1').content)
  const artifact = /sha256:[0-9a-f]{64}/.exec(shown)?.[0] ?? ''

  const reader = engineWith(
    scripted(
      [call('read_artifact', { artifact, from: 9_000, lines: 3 })],
      [call('read_artifact', { artifact, offset: 5, length: 4_000 })],
      [call('read_artifact', { artifact, from: 99_999 })],
      [call('read_artifact', { artifact: 'sha256:none' })],
    ),
    tools,
    ports,
  )
  const run = await reader.drive(await start(reader))
  expect(outcome(run, 't1.1')).toMatchObject({ value: `${lines.slice(8_999, 9_002).join('\n')}\n` })
  const whole = Buffer.from(lines.join('\n'))
  expect(whole.toString()).toContain(outcome(run, 't2.1').value)
  expect(outcome(run, 't3.1').error).toMatchObject({ code: 'range-invalid' })
  expect(outcome(run, 't4.1').error).toMatchObject({ code: 'artifact-missing' })
})

test('no page of a large artifact becomes an artifact again', async () => {
  const ports = memoryPorts()
  const bytes = Buffer.from('x'.repeat(200_000))
  const { artifactId: artifact } = await ports.artifacts.put(bytes, {
    name: 'big',
    mediaType: 'text/plain',
    runId: 'r' as RunId,
  })
  const pages = [{ artifact }, { artifact, offset: 100_000, length: 28 * 1_024 }]
  const engine = engineWith(
    scripted(...pages.map((page) => [call('read_artifact', page)])),
    builtinTools({ artifacts: ports.artifacts }),
    ports,
  )
  const run = await engine.drive(await start(engine))
  for (const { content } of run.calls.values()) expect(content.map(({ kind }) => kind)).not.toContain('artifact')
})

test('a binary artifact is named for what it is', async () => {
  const ports = memoryPorts()
  const meta = { name: 'photo', mediaType: 'image/png', runId: 'r' as RunId }
  const { artifactId: artifact } = await ports.artifacts.put(new Uint8Array([0x89, 0, 1]), meta)
  const engine = engineWith(
    scripted([call('read_artifact', { artifact })]),
    builtinTools({ artifacts: ports.artifacts }),
    ports,
  )
  const run = await engine.drive(await start(engine))
  expect(outcome(run, 't1.1')).toMatchObject({
    outcome: 'failed',
    content: [text('The artifact is not text (image/png, 3 bytes) and cannot be paged through.')],
  })
})

test('reading, editing and writing files work together, and a refusal reaches the model with what to do', async () => {
  const folder = temporaryFolder({ 'notes.md': 'alpha\nbeta\n' })
  const engine = engineWith(
    scripted(
      [call('read_file', { path: 'notes.md' })],
      [call('edit_file', { path: 'notes.md', old: 'gamma', new: 'delta' })],
      [call('edit_file', { path: 'notes.md', old: 'beta', new: 'delta' })],
      [
        call('write_file', { path: '../out.md', content: 'x' }),
        call('write_file', { path: 'out/report.md', content: 'ok' }),
      ],
      [say('finished')],
    ),
    builtinTools({ workspace: folder }),
  )
  const run = await engine.drive(await start(engine))
  expect([...run.calls.values()].map((one) => one.outcome)).toEqual([
    'finished',
    'failed',
    'finished',
    'failed',
    'finished',
  ])
  expect(plainText(outcome(run, 't2.1').content)).toContain('Read the file again and copy the text exactly.')
  expect(plainText(outcome(run, 't4.1').content)).toContain('leads out of the workspace')
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('alpha\ndelta\n')
  expect(readFileSync(join(folder, 'out/report.md'), 'utf8')).toBe('ok')
  expect(run.ended?.blocks).toEqual([expect.objectContaining({ text: 'finished' })])
})

test('an edit that the process did not live to tell of is found done, not done again', async () => {
  const folder = temporaryFolder({ 'log.md': 'one\n' })
  const kept = memoryPorts()
  let reached: () => void = () => {}
  const edited = new Promise<void>((resolve) => {
    reached = resolve
  })
  const dying: typeof kept = {
    ...kept,
    journal: {
      ...kept.journal,
      append(runId, events, sync) {
        if (!events.some(({ kind }) => kind === 'call-settled')) return kept.journal.append(runId, events, sync)
        reached()
        return new Promise<void>(() => {})
      },
    },
  }
  const model = scripted([call('edit_file', { path: 'log.md', old: 'one\n', new: 'one\none\n' })])
  const first = engineWith(model, builtinTools({ workspace: folder }), dying)
  const runId = await start(first)
  await edited
  await first.close()
  expect(readFileSync(join(folder, 'log.md'), 'utf8')).toBe('one\none\n')

  const second = engineWith(model, builtinTools({ workspace: folder }), kept)
  const run = await second.drive(runId)
  expect(outcome(run, 't1.1')).toMatchObject({ outcome: 'finished', content: [{ text: 'Edited log.md at line 1.' }] })
  expect(readFileSync(join(folder, 'log.md'), 'utf8')).toBe('one\none\n')
})
