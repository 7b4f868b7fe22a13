import { expect, test } from 'vitest'
import type { InstalledModel } from '../local/installed-model.js'
import { chooseModel, type ModelProbes } from './choose-model.js'
import type { LocalServer } from './local-servers.js'

const ollama: LocalServer = {
  id: 'ollama',
  title: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  models: [{ model: 'qwen3:4b' }, { model: 'other' }],
}
const installed = (name: string, parameters: number): InstalledModel => ({
  kind: 'installed',
  name,
  parameters,
  choosesTools: parameters >= 1e9,
  file: 'w.gguf',
  weights: 'w.gguf',
  bytes: 1,
  sha256: '',
  trust: 'recorded',
  source: { kind: 'file', from: 'w.gguf' },
  architecture: 'qwen3',
  title: name,
  trainedContext: 4096,
  addedAt: '',
})

const nothing: ModelProbes = { env: {}, servers: [], installed: [] }
const everything: ModelProbes = {
  env: { ANTHROPIC_API_KEY: 'secret-a', GROQ_API_KEY: 'secret-g' },
  named: { name: 'anthropic/claude-opus-5', by: '--model' },
  servers: [ollama],
  installed: [installed('qwen3-4b', 4e9)],
  rehearsal: 'demo.yaml',
}
const without = (probes: ModelProbes, ...keys: (keyof ModelProbes)[]): ModelProbes => {
  const left = { ...probes, ...Object.fromEntries(keys.map((key) => [key, nothing[key]])) }
  for (const key of keys) if (left[key] === undefined) delete left[key]
  return left
}

test('a model that is named answers, whatever else there is', () => {
  expect(chooseModel(everything).choice).toMatchObject({ kind: 'wire', name: 'anthropic/claude-opus-5' })
})

test('then the first provider of the table whose key is set', () => {
  const { choice, ways } = chooseModel(without(everything, 'named'))
  expect(choice).toMatchObject({ kind: 'wire', connection: { provider: 'anthropic', dialect: 'anthropic-messages' } })
  expect(ways[1]).toMatchObject({ state: 'chosen', text: expect.stringContaining('also GROQ_API_KEY') })
  expect(ways[2]?.state).toBe('available')
})

test('then a server on this machine, with its first model', () => {
  const { choice } = chooseModel(without(everything, 'named', 'env'))
  expect(choice).toMatchObject({ name: 'ollama/qwen3:4b', connection: { baseUrl: ollama.baseUrl } })
})

test('then an installed model, but never one that is too small to choose tools', () => {
  const rest = without(everything, 'named', 'env', 'servers')
  expect(chooseModel(rest).choice).toMatchObject({ kind: 'local', name: 'local/qwen3-4b' })
  const tiny = chooseModel({ ...rest, installed: [installed('smollm2', 135e6)] })
  expect(tiny.choice).toMatchObject({ kind: 'rehearsal' })
  expect(tiny.ways[3]?.text).toContain('too small')
})

test('then the rehearsal of a demo, which says what it is', () => {
  const { choice, ways } = chooseModel({ ...nothing, rehearsal: 'demo.yaml' })
  expect(choice).toEqual({ kind: 'rehearsal', name: 'rehearsal', file: 'demo.yaml' })
  expect(ways.at(-1)?.text).toContain('no language model')
})

test('with nothing at all the error lists every way to get one', () => {
  const { choice, error } = chooseModel(nothing)
  expect(choice).toBeNull()
  expect(error?.code).toBe('no-model')
  for (const way of [
    'OPENAI_API_KEY',
    'DASHSCOPE_API_KEY',
    'Ollama',
    'tenon models add',
    'openai-compatible',
    'doctor',
  ])
    expect(error?.message).toContain(way)
})

test('a named model that cannot be had is an error, not a reason to take another', () => {
  const keyless = chooseModel({ ...everything, named: { name: 'openai/gpt-5', by: '--model' } })
  expect(keyless).toMatchObject({ choice: null, error: { code: 'key-missing' } })
  expect(keyless.error?.message).toContain('OPENAI_API_KEY')
  const absent = chooseModel({ ...everything, named: { name: 'local/llama', by: 'tenon.yaml' } })
  expect(absent.error?.message).toContain('installed: qwen3-4b')
})

test('a small model is used when it is named', () => {
  const named = { name: 'local/smollm2', by: '--model' }
  const { choice } = chooseModel({ ...nothing, named, installed: [installed('smollm2', 135e6)] })
  expect(choice).toMatchObject({ kind: 'local', name: 'local/smollm2' })
})

test('no explanation holds a key', () => {
  expect(JSON.stringify(chooseModel(everything).ways)).not.toContain('secret')
})
