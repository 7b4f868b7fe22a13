import { expect, test } from 'vitest'
import { ChatReader } from '../openai-chat/chat-reader.js'
import { ReadAnswer } from './read-answer.js'
import { toolNames } from './tool-names.js'

test('an answer without an end does not fill the memory', () => {
  const author = { provider: 'test', model: 'm-1', dialect: 'openai-chat' }
  const reader = new ChatReader({ author, tools: toolNames([]), thinkTags: 'off' })
  const head = { provider: 'test', status: 200, headers: {}, streamAsked: true, now: () => 0 }
  const answer = new ReadAnswer(head, reader, () => null)
  const comment = new TextEncoder().encode(`:${' '.repeat(8 * 1024 * 1024)}\n`)
  let pieces = 0
  while (!answer.isOver) {
    answer.push(comment)
    expect(++pieces).toBeLessThan(10)
  }
  expect(answer.end({ kind: 'end' }).at(-1)).toMatchObject({ finish: 'error', error: { code: 'bad-response' } })
})
