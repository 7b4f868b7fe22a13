import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Json, JsonObject } from '@tenon/kernel'
import { describe, expect, test } from 'vitest'
import { needs } from '../../../test-support/needs.js'
import { grammarSchema, withoutAbsent } from '../src/local/grammar-schema.js'
import { findRuntime } from '../src/local/install-runtime.js'
import type { LlamaModule } from '../src/local/llama-types.js'
import { readToolDefinition } from '../src/tool-form/tool-schema.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const data = join(root, '..', 'shared', 'data', 'bfcl')
const runtime = findRuntime(join(root, 'node_modules', '.cache', 'tenon-local'))

describe('tool definitions of shared/data/bfcl', () => {
  needs('../shared/data/bfcl', () => existsSync(data))
  needs('the local runtime (npm run local-model)', () => runtime !== undefined)

  const definitions = (): JsonObject[] =>
    readdirSync(data)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(data, name), 'utf8').split('\n'))
      .filter((line) => line.trim() !== '')
      .flatMap((line) => [(JSON.parse(line) as { function: JsonObject | JsonObject[] }).function].flat())

  test('each one makes a grammar that llama.cpp takes', async () => {
    const entry = join(runtime ?? '', 'node_modules', 'node-llama-cpp', 'dist', 'index.js')
    const module = (await import(pathToFileURL(entry).href)) as LlamaModule
    const llama = await module.getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'error',
      maxThreads: 1,
    })
    let made = 0
    for (const definition of definitions()) {
      const { tool } = readToolDefinition(definition)
      await llama.createGrammarForJsonSchema(grammarSchema(tool.input))
      made++
    }
    expect(made).toBe(2074)
  })

  test('a call with everything optional left out has nothing left but what is required', () => {
    for (const definition of definitions()) {
      const { input } = readToolDefinition(definition).tool
      const properties = Object.keys((input.properties ?? {}) as JsonObject)
      const required = (input.required ?? []) as readonly string[]
      const said = Object.fromEntries(
        properties.map((name): [string, Json] => [name, required.includes(name) ? 'x' : null]),
      )
      const kept = Object.keys(withoutAbsent(said, input) as JsonObject)
      const nullable = properties.filter((name) => kept.includes(name) && !required.includes(name))
      for (const name of nullable) expect(JSON.stringify((input.properties as JsonObject)[name])).toContain('null')
      expect(kept).toEqual(expect.arrayContaining(required.filter((name) => properties.includes(name))))
    }
  })
})
