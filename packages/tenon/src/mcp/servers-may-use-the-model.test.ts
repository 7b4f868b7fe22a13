import type { Model, ModelRequest } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { sampleWithModel } from './sample-with-model.js'

function answering(finish: 'stop' | 'length' | 'error', asked: ModelRequest[]): Model {
  return {
    author: { provider: 'test', model: 'small-1', dialect: 'test' },
    contextWindow: 1_000,
    *generate(request) {
      asked.push(request)
      if (finish !== 'error') yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: 'Short.' } }
      yield { kind: 'finished', finish, usage: null, diagnostics: [] }
    },
  }
}

const params = {
  systemPrompt: 'Be brief.',
  maxTokens: 1_000_000,
  messages: [
    { role: 'user', content: { type: 'text', text: 'Summarise.' } },
    { role: 'assistant', content: [{ type: 'text', text: 'What?' }] },
    { role: 'user', content: { type: 'text', text: 'This.' } },
  ],
}
const signal = new AbortController().signal

test('a server that samples gets an answer to its own messages, with no tools and a bounded length', async () => {
  const asked: ModelRequest[] = []
  expect(await sampleWithModel(answering('stop', asked), params, signal)).toEqual({
    role: 'assistant',
    content: { type: 'text', text: 'Short.' },
    model: 'small-1',
    stopReason: 'endTurn',
  })
  const [request] = asked
  expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(request?.system.map(({ text }) => text)).toEqual(['Be brief.'])
  expect(request?.tools).toEqual([])
  expect(request?.settings.maxOutputTokens).toBeLessThanOrEqual(4_096)
})

test('an answer that was cut says so, and a model that fails is no answer', async () => {
  expect(await sampleWithModel(answering('length', []), params, signal)).toMatchObject({ stopReason: 'maxTokens' })
  await expect(sampleWithModel(answering('error', []), params, signal)).rejects.toMatchObject({
    code: 'mcp-input-refused',
  })
})
